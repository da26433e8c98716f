# nothing to install yet; filled in by the packaging step
