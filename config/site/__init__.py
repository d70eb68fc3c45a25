"""What all pages for people need: the base view, the reader's languages, the error page, the stylesheet."""
