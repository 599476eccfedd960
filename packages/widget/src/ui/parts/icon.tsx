/** Lines on a grid of 24, drawn in the text's colour. Each is by itself, so that none is carried along unused. */
export const closeIcon = "M6 6l12 12M18 6L6 18";
export const checkIcon = "M5 12.5l4.5 4.5L19 7.5";
export const copyIcon = "M9 9h10v10H9zM5 15V5h10";
export const globeIcon =
  "M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c5 6 5 12 0 18M12 3c-5 6-5 12 0 18";
export const outIcon = "M10 5H5v14h14v-5M14 5h5v5M19 5l-8 8";
export const keyIcon = "M8 8a4 4 0 100 8 4 4 0 000-8zM12 12h9v4M17 12v3";
export const shieldIcon = "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4";
export const listIcon = "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01";
export const downloadIcon = "M12 4v11M7.500 11l4.500 4.500L16.500 11M5 20h14";
export const sendIcon = "M4 12l16-7-5 15-4-6zM11 14l9-9";
export const warnIcon = "M12 4l9 16H3zM12 10v4M12 17h.01";
export const clockIcon = "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 2";

export function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}
