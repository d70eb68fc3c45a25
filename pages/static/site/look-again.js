// A page that waits for the worker, which needs a second, looks again. After two minutes, ever slower, it leaves that to
// the link, which does the same without this script. A reader who has pressed another link meanwhile is let go.
"use strict";

const looks = Number(sessionStorage.getItem(location.href) ?? 0) + 1;
sessionStorage.setItem(location.href, looks);
if (looks <= 15) {
  const timer = setTimeout(() => location.reload(), 1000 * looks);
  addEventListener("beforeunload", () => clearTimeout(timer));
}
