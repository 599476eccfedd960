// First: it declares the order of the layers.
import "./styles/base.css";

import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { router } from "./app/router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root element");

function show(container: Element): void {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

// Until the first screen can be shown, the page has its skeleton.
router.load().then(
  () => show(root),
  () => show(root),
);
