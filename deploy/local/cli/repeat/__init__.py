"""Runs tests repeatedly, under a load that slows the machine down."""
