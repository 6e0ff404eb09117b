// placeholder until the folder's first file
