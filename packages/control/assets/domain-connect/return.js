// Notifies the page that opened this window, if its origin is allowed, and closes the window. A
// window without an opener stays and shows its message.
const { origins, message } = document.body.dataset;

if (window.opener !== null && origins !== undefined && message !== undefined) {
  for (const origin of JSON.parse(origins)) window.opener.postMessage(JSON.parse(message), origin);
  window.close();
}
