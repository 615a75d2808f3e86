"""Fitting the evaluation's and the priors' weights to games."""
