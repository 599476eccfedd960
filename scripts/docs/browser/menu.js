// Runs directly after the list before it, so that a list above the text is closed when it is first
// drawn.
const list = document.currentScript?.previousElementSibling;
if (list && !matchMedia(`(min-width: ${list.dataset.from})`).matches) list.open = false;
