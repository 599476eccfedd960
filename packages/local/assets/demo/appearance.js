const grounds = {
  light: { background: "#ffffff", foreground: "#1c1b2e" },
  dark: { background: "#15141f", foreground: "#f0eff8" },
  sand: { background: "#fbf5ea", foreground: "#3a2d1b" },
};

/** The widget's options from the form; fields that are not set are left out. */
export function readAppearance(form) {
  const values = new FormData(form);
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const ground = grounds[values.get("ground") || (isDark ? "dark" : "light")];
  const radius = values.get("radius");
  const locale = values.get("locale");
  return {
    email: values.has("email"),
    ...(locale ? { locale } : {}),
    theme: {
      accentColor: values.get("accentColor"),
      ...ground,
      ...(radius ? { radius } : {}),
      ...(values.has("hideBranding") ? { hideBranding: true } : {}),
    },
  };
}
