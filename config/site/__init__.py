"""What every page for people needs: the view, the reader's languages, the error page, the stylesheet."""
