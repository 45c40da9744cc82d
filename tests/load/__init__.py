"""make load: phones at many card tables and campaigns at once, on loopback, against a site in production form."""
