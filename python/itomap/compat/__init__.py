"""Other packages' interfaces on itomap, for scripts that were written for them."""
