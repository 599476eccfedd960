// Tells the page that opened this window, if it is one of those allowed to hear, and closes it. A
// window that nobody opened stays and shows its words.
const { origins, message } = document.body.dataset;

if (window.opener !== null && origins !== undefined && message !== undefined) {
  for (const origin of JSON.parse(origins)) window.opener.postMessage(JSON.parse(message), origin);
  window.close();
}
