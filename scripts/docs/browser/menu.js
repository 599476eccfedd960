// Runs where it stands, before what follows is drawn: a list begins closed where it is above the text.
closeAbove(document.currentScript?.previousElementSibling);

function closeAbove(list) {
  if (list && !matchMedia(`(min-width: ${list.dataset.from})`).matches) list.open = false;
}
