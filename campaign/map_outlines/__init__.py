"""The outlines of a campaign's map: the file, and where a page finds it."""
