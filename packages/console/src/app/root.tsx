import { Outlet } from "@tanstack/react-router";
import { Toasts } from "../ui/toast.tsx";
import { useEndOfSession } from "./end-of-session.ts";
import "../styles/parts.css";
import "../styles/forms.css";
import "../styles/table.css";

export function Root() {
  useEndOfSession();
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}
