{{/* The name of everything in a release, at most 45 characters: a suffix and a pod's own come after it. */}}
{{- define "signalbox.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains "signalbox" .Release.Name -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-signalbox" .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "signalbox.selector" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default "signalbox" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "signalbox.labels" -}}
{{ include "signalbox.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "signalbox.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "signalbox.fullname" .) -}}
{{- end }}

{{/* One StatefulSet. Its context: root, process ("web" or "worker") and settings (.Values.web or .Values.worker). */}}
{{- define "signalbox.process" -}}
{{- $root := .root -}}
{{- $name := printf "%s-%s" (include "signalbox.fullname" $root) .process -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $name }}
  labels:
    {{- include "signalbox.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .process }}
spec:
  serviceName: {{ $name }}
  {{- if not (and (eq .process "worker") $root.Values.autoscaling.enabled) }}
  replicas: {{ .settings.replicas }}
  {{- end }}
  podManagementPolicy: Parallel
  selector:
    matchLabels:
      {{- include "signalbox.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .process }}
  template:
    metadata:
      labels:
        {{- include "signalbox.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .process }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        # A changed setting restarts the pods.
        checksum/config: {{ toYaml $root.Values.config | sha256sum }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "signalbox.serviceAccountName" $root }}
      automountServiceAccountToken: false
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # A stop takes at most 10 s, after the pause in which the Service lets go of the pod.
      terminationGracePeriodSeconds: 20
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        seccompProfile:
          type: RuntimeDefault
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "signalbox.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .process }}
      containers:
        - name: {{ .process }}
          image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [{{ .process }}]
          envFrom:
            - configMapRef:
                name: {{ include "signalbox.fullname" $root }}
            - secretRef:
                name: {{ $root.Values.existingSecret }}
          {{- with $root.Values.caSecret }}
          env:
            - name: NODE_EXTRA_CA_CERTS
              value: /etc/signalbox/ca/ca.crt
          {{- end }}
          {{- if eq .process "web" }}
          ports:
            - name: http
              containerPort: 3000
          # The start migrates and opens the port at its end: a migration may take half an hour.
          startupProbe:
            httpGet:
              path: /health/live
              port: http
            periodSeconds: 2
            failureThreshold: 930
          # Not /health/ready: that is 503 too while no worker runs, and webhooks must be received then.
          readinessProbe:
            httpGet:
              path: /health/live
              port: http
            periodSeconds: 5
          livenessProbe:
            httpGet:
              path: /health/live
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          lifecycle:
            preStop:
              exec:
                command: [sleep, "5"]
          {{- end }}
          {{- with .settings.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
          volumeMounts:
            - name: data
              mountPath: /data
            - name: scratch
              mountPath: /tmp
            - name: scratch
              mountPath: /app/.next/cache
              subPath: next
            {{- if and (eq .process "worker") $root.Values.persistence.backups.size }}
            - name: backups
              mountPath: /backups
            {{- end }}
            {{- if $root.Values.caSecret }}
            - name: ca
              mountPath: /etc/signalbox/ca
              readOnly: true
            {{- end }}
            {{- with $root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: scratch
          emptyDir: {}
        {{- with $root.Values.caSecret }}
        - name: ca
          secret:
            secretName: {{ . }}
        {{- end }}
        {{- with $root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $root.Values.persistence.storageClassName }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ $root.Values.persistence.size }}
    {{- if and (eq .process "worker") $root.Values.persistence.backups.size }}
    - metadata:
        name: backups
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $root.Values.persistence.backups.storageClassName }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ $root.Values.persistence.backups.size }}
    {{- end }}
{{- if $root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $name }}
  labels:
    {{- include "signalbox.labels" $root | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "signalbox.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .process }}
  policyTypes: [Ingress]
  {{- if eq .process "web" }}
  ingress:
    - ports:
        - protocol: TCP
          port: 3000
  {{- end }}
{{- end }}
{{- if $root.Values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "signalbox.labels" $root | nindent 4 }}
spec:
  maxUnavailable: {{ $root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "signalbox.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .process }}
{{- end }}
{{- end }}
