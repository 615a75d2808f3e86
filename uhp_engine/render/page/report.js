"use strict";
(function () {
  const SVG = "http://www.w3.org/2000/svg";
  const RADIUS = 50;
  const LIFT = [4, -8.5];
  const BUGS = "QSBGAMLP";
  const games = JSON.parse(document.getElementById("data").textContent).games;
  const at = (id) => document.getElementById(id);
  let current = 0;
  let ply = 0;
  let box = "";
  let shown = games.map((_, index) => index);

  function make(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  function put(parent, name, text, properties) {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    Object.assign(element, properties || {});
    parent.appendChild(element);
    return element;
  }

  // The board -----------------------------------------------------------------------------------

  function centre(q, r) {
    return [Math.sqrt(3) * RADIUS * (q + r / 2), 1.5 * RADIUS * r];
  }

  function corners(x, y, radius) {
    const points = [];
    for (let i = 0; i < 6; i++) {
      const angle = ((60 * i - 90) * Math.PI) / 180;
      points.push((x + radius * Math.cos(angle)).toFixed(1) + "," + (y + radius * Math.sin(angle)).toFixed(1));
    }
    return points.join(" ");
  }

  // Stacks by cell after so many moves, and where the last move began and ended.
  function position(game, count) {
    const stacks = new Map();
    const where = new Map();
    let from = null;
    let to = null;
    for (let i = 0; i < count; i++) {
      const step = game.steps[i];
      from = to = null;
      if (!step) continue;
      const [name, q, r] = step;
      const key = q + "," + r;
      if (where.has(name)) {
        from = where.get(name);
        const left = stacks.get(from);
        left.splice(left.indexOf(name), 1);
        if (!left.length) stacks.delete(from);
      }
      to = key;
      where.set(name, key);
      if (!stacks.has(key)) stacks.set(key, []);
      stacks.get(key).push(name);
    }
    return { stacks, where, from, to };
  }

  // One box for the whole game, so that the board keeps still.
  function boxOf(game) {
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (const step of game.steps.length ? game.steps : [["", 0, 0]]) {
      if (!step) continue;
      const [x, y] = centre(step[1], step[2]);
      left = Math.min(left, x); right = Math.max(right, x);
      top = Math.min(top, y); bottom = Math.max(bottom, y);
    }
    const edge = RADIUS + 30;
    return [left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge].map((n) => n.toFixed(1)).join(" ");
  }

  function cell(key) {
    return key.split(",").map(Number);
  }

  function topOf(key, height) {
    const [x, y] = centre(...cell(key));
    return [x + LIFT[0] * height, y + LIFT[1] * height];
  }

  function tile(board, name, x, y, opacity) {
    const colour = name[0] === "w" ? 0 : 1;
    const group = make(board, "g", { transform: `translate(${x.toFixed(1)},${y.toFixed(1)})` });
    if (opacity) group.setAttribute("opacity", opacity);
    make(group, "title", {}, name);
    make(group, "use", { href: "#tile-" + colour + BUGS.indexOf(name[1]) });
    const count = Number(name[2] || 0);
    for (let i = 0; i < count; i++) {
      make(group, "circle", { cx: ((i - (count - 1) / 2) * 8.6).toFixed(1), cy: 39.5, r: 3.4, fill: colour ? "#f1ece4" : "#463a26" });
    }
  }

  function outline(board, key, height, dashed, colour) {
    const [x, y] = topOf(key, height);
    const look = { points: corners(x, y, 46), fill: "none", stroke: colour, "stroke-width": dashed ? 4 : 6 };
    if (dashed) look["stroke-dasharray"] = "9 7";
    make(board, "polygon", look);
  }

  function arrow(board, start, end) {
    const [x1, y1] = start;
    const [x2, y2] = end;
    const length = Math.max(1, Math.hypot(x2 - x1, y2 - y1));
    const ux = (x2 - x1) / length;
    const uy = (y2 - y1) / length;
    const head = Math.min(26, length * 0.6);
    const shape = [[14, 7], [length - head, 7], [length - head, 17], [length, 0], [length - head, -17], [length - head, -7], [14, -7]];
    const points = shape.map(([a, b]) => (x1 + a * ux - b * uy).toFixed(1) + "," + (y1 + a * uy + b * ux).toFixed(1));
    make(board, "polygon", { points: points.join(" "), fill: "#1864ab", "fill-opacity": 0.85, stroke: "#fff", "stroke-width": 1.5 });
  }

  function drawBoard(game, now) {
    const board = at("board");
    board.textContent = "";
    board.setAttribute("viewBox", box);
    const accent = "#e8590c";
    const keys = [...now.stacks.keys()].sort((a, b) => cell(a)[1] - cell(b)[1] || cell(a)[0] - cell(b)[0]);
    if (!keys.length) outline(board, "0,0", 0, true, "#8a9a86");
    if (now.from && !now.stacks.has(now.from)) outline(board, now.from, 0, true, accent);
    for (const key of keys) {
      const stack = now.stacks.get(key);
      stack.forEach((name, height) => tile(board, name, ...topOf(key, height)));
      const height = stack.length - 1;
      if (key === now.from) outline(board, key, height, true, accent);
      if (key === now.to) outline(board, key, height, false, accent);
      if (height) {
        const [x, y] = topOf(key, height);
        make(board, "circle", { cx: x + 33, cy: y - 25, r: 14, fill: "#5f3dc4", stroke: "#fff" });
        make(board, "text", { x: x + 33, y: y - 24.5, "font-size": 21, "font-weight": "bold", fill: "#fff", "text-anchor": "middle", "dominant-baseline": "central" }, String(stack.length));
      }
    }
    drawBest(board, game, now);
    board.setAttribute("aria-label", inWords(game, now));
  }

  // What the engine would have played next, where it was something else.
  function drawBest(board, game, now) {
    const view = game.views && game.views[ply];
    if (!view || !view[3] || !at("show-best").checked) return;
    const [name, q, r] = view[3];
    const key = q + "," + r;
    const height = now.stacks.has(key) ? now.stacks.get(key).length - 1 : 0;
    const end = topOf(key, height);
    if (now.where.has(name)) {
      const from = now.where.get(name);
      arrow(board, topOf(from, now.stacks.get(from).length - 1), end);
    } else {
      tile(board, name, end[0], end[1], 0.6);
      outline(board, key, 0, true, "#1864ab");
    }
  }

  function inWords(game, now) {
    const high = [...now.stacks.values()].filter((stack) => stack.length > 1).map((stack) => [...stack].reverse().join(" on "));
    const pieces = [...now.stacks.values()].reduce((sum, stack) => sum + stack.length, 0);
    let words = pieces ? `Board with ${pieces} pieces` : "Empty board";
    if (ply) words += ` after move ${ply}, ${game.moves[ply - 1]}`;
    return high.length ? `${words}. Stacks: ${high.join(", ")}` : words;
  }

  // The rest of a game ---------------------------------------------------------------------------

  function percent(score) {
    return Math.round(100 * score) + " %";
  }

  function statusText(game) {
    if (!ply) return `Start: ${game.white} has White, ${game.black} has Black`;
    const side = ply % 2 ? "White" : "Black";
    let text = `Move ${ply}, ${side}: ${game.moves[ply - 1]}`;
    const view = game.views && game.views[ply - 1];
    if (view) text += `${view[1] ? " " + view[1] : ""}. ${view[2]}`;
    if (ply === game.moves.length) text += `. Result ${game.result}`;
    return text;
  }

  function drawHands(game, now) {
    const held = (colour) => game.box.filter((name) => name[0] === colour && !now.where.has(name)).map((name) => name.slice(1)).join(" ") || "nothing";
    at("hands").textContent = `In hand: White ${held("w")}; Black ${held("b")}`;
  }

  function gamestring(game) {
    const done = ply === game.moves.length;
    const words = { "1-0": "WhiteWins", "0-1": "BlackWins", "1/2-1/2": "Draw" };
    const state = ply ? (done && words[game.result]) || "InProgress" : "NotStarted";
    const turn = (ply % 2 ? "Black" : "White") + "[" + (Math.floor(ply / 2) + 1) + "]";
    return [game.type, state, turn].concat(game.moves.slice(0, ply)).join(";");
  }

  function show(next, fromList) {
    const game = games[current];
    ply = Math.max(0, Math.min(game.moves.length, next));
    const now = position(game, ply);
    drawBoard(game, now);
    drawHands(game, now);
    at("status").textContent = statusText(game);
    at("gamestring").value = gamestring(game);
    const slider = at("ply");
    slider.value = String(ply);
    slider.setAttribute("aria-valuetext", statusText(game));
    at("first").disabled = at("back").disabled = ply === 0;
    at("last").disabled = at("forward").disabled = ply === game.moves.length;
    markMove(fromList);
    drawNow(game);
  }

  function markMove(fromList) {
    for (const button of at("moves").querySelectorAll("button")) {
      const here = Number(button.dataset.ply) === ply;
      button.tabIndex = here ? 0 : -1;
      if (here) {
        button.setAttribute("aria-current", "step");
        const list = at("moves");
        const top = button.offsetTop - list.clientHeight / 2;
        list.scrollTop = top;
        if (fromList) button.focus({ preventScroll: true });
      } else button.removeAttribute("aria-current");
    }
  }

  function listMoves(game) {
    const list = at("moves");
    list.textContent = "";
    const add = (number, text, mark) => {
      const item = put(list, "li");
      if (!number) item.className = "start";
      const button = put(item, "button", text, { type: "button" });
      button.dataset.ply = String(number);
      if (mark) {
        put(button, "span", " " + mark, { className: "mark" });
      }
      const comment = game.comments[number];
      if (!comment) return;
      // A move's time stands beside it; words get a line of their own.
      if (/^[\d.]+ ?s$/.test(comment)) put(button, "small", comment);
      else put(list, "li", comment, { className: "comment" });
    };
    add(0, "Start");
    game.moves.forEach((move, index) => add(index + 1, `${index + 1}. ${move}`, game.views && game.views[index] && game.views[index][1]));
  }

  // The graph: White's expected score, one step a move ---------------------------------------------

  function drawGraph(game) {
    at("analysis").hidden = !game.views;
    if (!game.views) return;
    const graph = at("graph");
    const count = game.views.length;
    graph.textContent = "";
    graph.setAttribute("viewBox", `0 0 ${Math.max(1, count)} 100`);
    const scores = [game.start].concat(game.views.map((view) => view[0]));
    const points = scores.map((score, index) => `${index},${(100 - 100 * score).toFixed(1)}`);
    make(graph, "polygon", { class: "area", points: `0,100 ${points.join(" ")} ${count},100` });
    make(graph, "line", { class: "middle", x1: 0, x2: count, y1: 50, y2: 50 });
    make(graph, "polyline", { class: "curve", points: points.join(" ") });
    const turns = game.views.map((view, index) => [index + 1, view]).filter(([, view]) => view[1] === "?" || view[1] === "??");
    for (const [number] of turns) make(graph, "line", { class: "turn", x1: number, x2: number, y1: 0, y2: 100 });
    make(graph, "line", { class: "now", x1: 0, x2: 0, y1: 0, y2: 100 });
    const where = turns.length ? `Turning points at moves ${turns.map(([number]) => number).join(", ")}.` : "No turning points.";
    at("graph-words").textContent = `White's expected score from move to move, ${percent(scores[0])} at the start, ${percent(scores[count])} at the end. ${where}`;
    const box = at("turning");
    box.textContent = "";
    if (turns.length) put(box, "span", "Turning points:");
    for (const [number, view] of turns) {
      const button = put(box, "button", `${number}. ${game.moves[number - 1]} ${view[1]}`, { type: "button" });
      button.addEventListener("click", () => show(number));
    }
  }

  function drawNow(game) {
    if (!game.views) return;
    const line = at("graph").querySelector(".now");
    line.setAttribute("x1", ply);
    line.setAttribute("x2", ply);
  }

  // Choosing a game --------------------------------------------------------------------------------

  function title(game, index) {
    return `${index + 1}. ${game.white} – ${game.black}, ${game.result}, ${game.moves.length} moves`;
  }

  function listGames() {
    const select = at("game");
    select.textContent = "";
    for (const index of shown) put(select, "option", title(games[index], index), { value: String(index) });
    if (!shown.length) put(select, "option", "no game fits", { disabled: true });
  }

  function filterGames(test) {
    shown = games.map((_, index) => index).filter((index) => test(games[index], index));
    listGames();
    if (shown.length) choose(shown.includes(current) ? current : shown[0]);
  }

  function choose(index) {
    const game = games[index];
    const same = index === current;
    current = index;
    at("game").value = String(index);
    at("headline").textContent = `${game.white} – ${game.black}  ${game.result}  (${game.type})`;
    const tags = at("tags");
    tags.textContent = "";
    for (const [key, value] of game.tags) {
      const pair = put(tags, "div");
      put(pair, "dt", key + ":");
      put(pair, "dd", value);
    }
    const place = shown.indexOf(index);
    at("previous-game").disabled = place <= 0;
    at("next-game").disabled = place < 0 || place === shown.length - 1;
    at("ply").max = String(game.moves.length);
    box = boxOf(game);
    listMoves(game);
    drawGraph(game);
    show(same ? ply : 0);
  }

  function otherGame(by) {
    const next = shown[shown.indexOf(current) + by];
    if (next !== undefined) choose(next);
  }

  // Wiring -----------------------------------------------------------------------------------------

  const KEYS = {
    ArrowLeft: () => show(ply - 1, inList()), ArrowRight: () => show(ply + 1, inList()),
    Home: () => show(0, inList()), End: () => show(Infinity, inList()),
    PageUp: () => show(ply - 10, inList()), PageDown: () => show(ply + 10, inList()),
    n: () => otherGame(1), p: () => otherGame(-1),
  };

  function inList() {
    return at("moves").contains(document.activeElement);
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    // These elements have a use of their own for the keys.
    if (event.target.closest("input[type=search], input[type=range], select, textarea, .wide")) return;
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  function start() {
    if (!games.length) return;
    listGames();
    document.addEventListener("keydown", onKey);
    at("first").addEventListener("click", () => show(0));
    at("back").addEventListener("click", () => show(ply - 1));
    at("forward").addEventListener("click", () => show(ply + 1));
    at("last").addEventListener("click", () => show(Infinity));
    at("ply").addEventListener("input", (event) => show(Number(event.target.value)));
    at("moves").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) show(Number(button.dataset.ply), true);
    });
    at("graph").addEventListener("click", (event) => {
      const frame = at("graph").getBoundingClientRect();
      show(Math.round(((event.clientX - frame.left) / frame.width) * games[current].views.length));
    });
    at("show-best").addEventListener("change", () => show(ply));
    at("game").addEventListener("change", (event) => choose(Number(event.target.value)));
    at("previous-game").addEventListener("click", () => otherGame(-1));
    at("next-game").addEventListener("click", () => otherGame(1));
    at("filter").addEventListener("input", (event) => {
      const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
      filterGames((game, index) => {
        const text = `${title(game, index)} ${game.type}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
    });
    for (const button of document.querySelectorAll(".meeting")) {
      button.addEventListener("click", () => {
        const pair = [button.dataset.first, button.dataset.second].sort().join("\n");
        at("filter").value = "";
        filterGames((game) => [game.white, game.black].sort().join("\n") === pair);
        at("viewer").scrollIntoView();
        at("game").focus({ preventScroll: true });
      });
    }
    choose(0);
  }

  start();
})();
