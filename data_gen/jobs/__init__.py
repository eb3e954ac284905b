"""Stateless "make set i" jobs and the engines that run them: local processes and Ray."""
