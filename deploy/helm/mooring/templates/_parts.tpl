{{/*
Only Go's templates and Sprig are used, so that any program with both renders this chart:
`template` instead of `include`, `toJson` instead of `toYaml`, `fail` instead of `required`.
*/}}
{{- define "mooring.image" -}}
{{ if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag }}{{ end }}
{{- end }}

{{- define "mooring.pod" -}}
automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "mooring.container" -}}
image: {{ template "mooring.image" . }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          envFrom:
            - configMapRef: { name: mooring }
{{- if .feed }}
            # Where it reads from, if not from the database.
            - configMapRef: { name: mooring-edge, optional: true }
{{- end }}
            - secretRef: { name: {{ .secret }} }
          {{ template "mooring.confinement" . }}
{{- end }}

{{- define "mooring.confinement" -}}
securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
{{- end }}

{{- define "mooring.probes" -}}
startupProbe:
            httpGet: { path: /healthz, port: internal }
            periodSeconds: 2
            failureThreshold: 30
          readinessProbe:
            httpGet: { path: /healthz, port: internal }
            periodSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              sleep: { seconds: 5 }
          volumeMounts:
            - { name: data, mountPath: /data }
{{- end }}
