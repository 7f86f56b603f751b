{{/* Prefix of the names of all objects. */}}
{{- define "rondo.name" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else }}{{ $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}{{ end }}{{ end }}
{{- end }}

{{/* Labels that select the pods of a part: (list . "topology"). */}}
{{- define "rondo.selector" -}}
{{- $ := index . 0 -}}
app.kubernetes.io/name: {{ $.Chart.Name }}
app.kubernetes.io/instance: {{ $.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* All labels of an object of a part. */}}
{{- define "rondo.labels" -}}
{{- $ := index . 0 -}}
helm.sh/chart: {{ printf "%s-%s" $.Chart.Name $.Chart.Version }}
app.kubernetes.io/version: {{ $.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $.Release.Service }}
{{ include "rondo.selector" . }}
{{- end }}

{{- define "rondo.meta" -}}
{{- $ := index . 0 -}}
name: {{ include "rondo.name" $ }}-{{ index . 1 }}
namespace: {{ $.Release.Namespace }}
labels:
  {{- include "rondo.labels" . | nindent 2 }}
{{- end }}

{{- define "rondo.image" -}}
{{- $ := index . 0 -}}
{{ $.Values.image.registry }}/rondo-{{ index . 1 }}:{{ default $.Chart.AppVersion $.Values.image.tag }}
{{- end }}

{{/* A scalar as text; whole numbers of YAML are floats in Helm. */}}
{{- define "rondo.text" -}}
{{- if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* The variable of a key: (list "RONDO_TOPOLOGY_" "http.port"). */}}
{{- define "rondo.variable" -}}
{{ index . 0 }}{{ index . 1 | upper | replace "." "_" }}
{{- end }}

{{/* Lines of a ConfigMap: (list "RONDO_TOPOLOGY_" settings). */}}
{{- define "rondo.variables" -}}
{{- $prefix := index . 0 }}
{{- range $key, $value := index . 1 }}
{{ include "rondo.variable" (list $prefix $key) }}: {{ include "rondo.text" $value | quote }}
{{- end }}
{{- end }}

{{/* Variables from a Secret: (list "RONDO_KAFKA_" secret (dict setting key)). */}}
{{- define "rondo.secretVariables" -}}
{{- $prefix := index . 0 }}{{ $secret := index . 1 }}
{{- if $secret }}
{{- range $setting, $key := index . 2 }}
- name: {{ include "rondo.variable" (list $prefix $setting) }}
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ $key }}}}
{{- end }}
{{- end }}
{{- end }}

{{/* URL without a password: (list . "api"). */}}
{{- define "rondo.postgresUrl" -}}
{{- $ := index . 0 }}{{ $p := $.Values.postgres -}}
postgresql://{{ index $p.users (index . 1) }}@{{ required "postgres.host is missing" $p.host }}:{{ include "rondo.text" $p.port }}/{{ $p.database }}{{ with $p.parameters }}?{{ . }}{{ end }}
{{- end }}

{{- define "rondo.password" -}}
{{- $ := index . 0 -}}
- name: PGPASSWORD
  valueFrom: {secretKeyRef: {name: {{ $.Values.postgres.secret }}, key: {{ index . 1 }}}}
{{- end }}

{{- define "rondo.brokers" -}}
{{ required "kafka.bootstrapServers is missing" .Values.kafka.bootstrapServers }}
{{- end }}

{{/* The prefix of everything on the cluster, and the application. */}}
{{- define "rondo.prefix" -}}
{{ index .Values.topology.config "rondo.prefix" | default "rondo" }}
{{- end }}
{{- define "rondo.application" -}}
{{ index .Values.topology.config "application.id" | default (include "rondo.prefix" .) }}
{{- end }}

{{- define "rondo.account" -}}
{{ .Values.serviceAccount.name | default (include "rondo.name" .) }}
{{- end }}

{{/* What all pods have in common: (list . "topology"). */}}
{{- define "rondo.pod" -}}
{{- $ := index . 0 -}}
enableServiceLinks: false
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with $.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Where pods run: (list . "api" .Values.api). */}}
{{- define "rondo.placement" -}}
{{- $ := index . 0 }}{{ $part := index . 2 }}{{ $of := list $ (index . 1) }}
{{- if $.Values.topologySpread.enabled }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "rondo.selector" $of | nindent 8 }}
  {{- end }}
{{- end }}
{{- with $part.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "rondo.container" -}}
{{- $ := index . 0 -}}
image: {{ include "rondo.image" . }}
imagePullPolicy: {{ $.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{/* Mounts of `kafka.mounts`. */}}
{{- define "rondo.kafkaMounts" -}}
{{- range .Values.kafka.mounts }}
- name: {{ . }}
  mountPath: /etc/rondo/{{ . }}
  readOnly: true
{{- end }}
{{- end }}
{{- define "rondo.kafkaVolumes" -}}
{{- range .Values.kafka.mounts }}
- name: {{ . }}
  secret: {secretName: {{ . }}}
{{- end }}
{{- end }}

{{/* Instances that run at least. */}}
{{- define "rondo.instances" -}}
{{ .Values.keda.enabled | ternary .Values.keda.minReplicas .Values.topology.replicas | int }}
{{- end }}

