import type { UpdateApplication } from "@mooring/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useWorkspace } from "../api/workspace.tsx";
import { announce } from "../ui/toast.tsx";

/** Changes the given fields of an application and shows the result everywhere. */
export function useSaveApplication(id: string) {
  const { api, environment } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateApplication) => api.applications.update(id, change),
    async onSuccess() {
      announce("Saved.");
      await queryClient.invalidateQueries({ queryKey: [environment, "applications"] });
    },
  });
}
