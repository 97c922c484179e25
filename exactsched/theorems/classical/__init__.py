"""The classical theorems that the papers lean on, under the names of their authors."""
