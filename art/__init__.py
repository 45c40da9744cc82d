"""Drawings that several apps share. Pure: knows no Django."""
