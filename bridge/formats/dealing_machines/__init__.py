"""Files of dealing machines: deals without auction or play, in the layouts of Jannersten's Duplimate.

A board has the dealer and the vulnerability that its number implies (Law 2). In the binary layouts nothing has a line,
so that errors name line 1.

- records: what the four share
- dlm: text, with a checksum for each board; `read_dlm`
- bri: binary, three hands as numbers of cards, numbered from 1; `read_bri`
- dge: binary, four hands as a diagram in the characters of DOS, numbered from 1; `read_dge`
- dup: binary, both of these and the number of the first board; `read_dup`, `write_dup`
"""
