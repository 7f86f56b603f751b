{{/* Settings of the connector: (list . passwordReference userReference kafkaReferences). */}}
{{- define "rondo.sink" -}}
{{- $ := index . 0 }}{{ $p := $.Values.postgres }}{{ $prefix := include "rondo.prefix" $ }}
{{- $own := dict
  "topics" (printf "%s.series,%s.bundle-rows,%s.events" $prefix $prefix $prefix)
  "key.converter" "dev.rondo.connect.postgres.RondoConverter"
  "value.converter" "dev.rondo.connect.postgres.RondoConverter"
  "connection.url" (printf "jdbc:postgresql://%s:%s/%s%s" (required "postgres.host is missing" $p.host) (include "rondo.text" $p.port) $p.database (empty $p.parameters | ternary "" (printf "?%s" $p.parameters)))
  "connection.user" $p.users.sink
  "connection.password" (index . 1)
  "kafka.bootstrap.servers" (include "rondo.brokers" $)
  "consumer.override.isolation.level" "read_committed"
  "consumer.override.max.poll.records" 2000
  "consumer.override.request.timeout.ms" 15000
  "consumer.override.session.timeout.ms" 10000
  "errors.tolerance" "all"
  "errors.deadletterqueue.topic.name" (printf "%s.dead-letters" $prefix)
  "errors.deadletterqueue.topic.replication.factor" -1
  "errors.deadletterqueue.context.headers.enable" true -}}
{{- range $key, $value := index . 2 }}{{ $_ := set $own (printf "kafka.%s" $key) $value }}{{ end }}
{{- mergeOverwrite $own $.Values.sink.config | toYaml }}
{{- end }}

{{/* Settings of Kafka's clients; secrets are references to variables of the worker. */}}
{{- define "rondo.kafkaClient" -}}
{{- $all := deepCopy .Values.kafka.config }}
{{- if .Values.kafka.secret }}
{{- range $key, $_ := .Values.kafka.secretKeys }}{{ $_ := set $all $key (printf "${env:%s}" (include "rondo.variable" (list "RONDO_KAFKA_" $key))) }}{{ end }}
{{- end }}
{{- $all | toYaml }}
{{- end }}
