"""The campaign map: one geometry, drawn on pages, as an image and on paper. Knows no Django."""
