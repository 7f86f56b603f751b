{{/* Resources of the rules in README.md; those of the values must not contradict them. */}}

{{/* Bytes of a quantity: (list "api.resources.limits.memory" "1.5Gi"). */}}
{{- define "rondo.bytes" -}}
{{- $text := include "rondo.text" (index . 1) }}
{{- if not (regexMatch "^[0-9]+([.][0-9]+)?([KMGT]i|[kMGT])?$" $text) }}{{ fail (printf "%s is %s, which is no quantity such as 1536Mi" (index . 0) $text) }}{{ end }}
{{- $unit := regexFind "[A-Za-z]*$" $text }}
{{- $bytes := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 }}
{{- mulf (trimSuffix $unit $text | float64) (index $bytes $unit) | int64 }}
{{- end }}

{{/* The limit of memory in the values of a part, bytes; 0: none: (list . "api"). */}}
{{- define "rondo.memoryLimit" -}}
{{- $given := dig "limits" "memory" "" (index (index . 0).Values (index . 1)).resources }}
{{- if $given }}{{ include "rondo.bytes" (list (printf "%s.resources.limits.memory" (index . 1)) $given) }}{{ else }}0{{ end }}
{{- end }}

{{/* Fails if that limit is below what the part needs: (list . "fill" 384 "why"), Mi. */}}
{{- define "rondo.checkMemory" -}}
{{- $limit := include "rondo.memoryLimit" . | int64 }}
{{- if and $limit (lt $limit (mul 1048576 (index . 2))) }}
{{- fail (printf "%s.resources.limits.memory is %v, below %dMi: %s" (index . 1) (index (index . 0).Values (index . 1)).resources.limits.memory (index . 2) (index . 3)) }}
{{- end }}
{{- end }}

{{/* Memory that the series of an instance, and those of a lost one, need, Mi: the heap is 75 % of it. */}}
{{- define "rondo.seriesMemory" -}}
{{- $series := float64 .Values.topology.series }}
{{- $sharers := max 1 (sub (include "rondo.instances" . | int) 1) | float64 }}
{{- $heap := addf 64.0 (divf (mulf $series 0.00076) $sharers) (mulf $series 0.00002) }}
{{- ceil (divf $heap 0.75) | int }}
{{- end }}

{{- define "rondo.topologyResources" -}}
{{- $need := include "rondo.seriesMemory" . | int }}
{{- $series := include "rondo.text" .Values.topology.series }}
{{- include "rondo.checkMemory" (list . "topology" $need (printf "topology.series is %s, with %s instances" $series (include "rondo.instances" .))) }}
{{- $cpu := addf 200.0 (mulf (divf (float64 .Values.topology.series) (include "rondo.instances" . | float64)) 0.001) | ceil | int }}
{{- $memory := printf "%dMi" (max 1024 $need) }}
{{- .Values.topology.resources | default (dict "requests" (dict "cpu" (printf "%dm" $cpu) "memory" $memory) "limits" (dict "memory" $memory)) | toYaml }}
{{- end }}

{{- define "rondo.apiWorkers" -}}
{{ index .Values.api.config "workers" | default 2 | int }}
{{- end }}

{{/* `worker.memory.bytes`: as given, or its share of the limit, or the default of the query API. */}}
{{- define "rondo.apiWorkerBytes" -}}
{{- $limit := include "rondo.memoryLimit" (list . "api") | int64 }}
{{- $given := index .Values.api.config "worker.memory.bytes" }}
{{- if or $given (not $limit) }}{{ $given | default 2147483648 | int64 }}
{{- else }}{{ div (sub $limit (mul 128 1048576)) (include "rondo.apiWorkers" . | int) }}{{ end }}
{{- end }}

{{- define "rondo.apiResources" -}}
{{- $workers := include "rondo.apiWorkers" . | int }}
{{- $usual := add 128 (mul 256 $workers) }}
{{- $most := add 128 (mul $workers (div (add (include "rondo.apiWorkerBytes" . | int64) 1048575) 1048576)) }}
{{- $each := printf "for each of %d workers (api.config.workers)" $workers }}
{{- with index .Values.api.config "worker.memory.bytes" }}
{{- include "rondo.checkMemory" (list $ "api" $most (printf "128 MiB, and %s bytes (api.config.worker.memory.bytes) %s" (include "rondo.text" .) $each)) }}
{{- else }}
{{- include "rondo.checkMemory" (list . "api" $usual (printf "128 MiB, and 256 MiB %s" $each)) }}
{{- end }}
{{- .Values.api.resources | default (dict "requests" (dict "cpu" (printf "%dm" (mul 250 $workers)) "memory" (printf "%dMi" (min $usual $most))) "limits" (dict "memory" (printf "%dMi" $most))) | toYaml }}
{{- end }}

{{/* Resources of what runs in the image rondo-tools: (list . "fill"). */}}
{{- define "rondo.toolsResources" -}}
{{- include "rondo.checkMemory" (list (index . 0) (index . 1) 384 "its heap takes up to 256 MiB") }}
{{- (index (index . 0).Values (index . 1)).resources | toYaml }}
{{- end }}
