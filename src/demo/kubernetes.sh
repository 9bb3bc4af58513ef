#!/usr/bin/env bash
# Puts Stockstats and its Kafka on the cluster that kubectl talks to, asks for a ticker through the service, deletes a
# pod and asks again. It needs kubectl, a cluster of Kubernetes 1.30 or newer whose Strimzi operator (0.49 or newer)
# watches the namespace, manifests made by ./mvnw package, and their image where the cluster's nodes get it.
#
#   src/demo/kubernetes.sh
#   NAMESPACE=stocks src/demo/kubernetes.sh
#
# It leaves everything as it is at the end; kubectl delete namespace takes it away. Exit code: 0 when all went well.
set -euo pipefail
cd "$(dirname "$0")/../.."

namespace=${NAMESPACE:-stockstats}
manifests=target/kubernetes
ticker=MMM
patience=600s
asked_within=60 # seconds

say() { printf '%(%T)T  == %s\n' -1 "$*"; }
on() { kubectl --namespace "$namespace" "$@"; }

# Everything that a person would look at first.
show() {
  local status=$?
  if [ "$status" != 0 ]; then
    say 'it went wrong'
    on get pods,pvc,kafka,kafkatopic,kafkauser -o wide || true
    on describe pods --selector app.kubernetes.io/name=stockstats | tail -40 || true
    on logs --selector app.kubernetes.io/name=stockstats --tail 30 --prefix || true
  fi
}
trap show EXIT

# Asks through the service, as a client that the network policy lets in, until there is an answer.
ask() {
  on exec client -- curl --silent --show-error --fail --max-time 5 \
    --retry "$asked_within" --retry-max-time "$asked_within" --retry-delay 1 --retry-all-errors "http://stockstats/stats/$ticker"
}

[ -f "$manifests/kubernetes.yml" ] || { echo "no $manifests: run ./mvnw package first" >&2; exit 1; }

kubectl get namespace "$namespace" >/dev/null 2>&1 || kubectl create namespace "$namespace"

say 'Kafka'
on apply -f "$manifests/strimzi.yml"
on wait kafka/stockstats --for condition=Ready --timeout "$patience"
on wait kafkatopic --all --for condition=Ready --timeout "$patience"
on wait kafkauser/stockstats --for condition=Ready --timeout "$patience"

say 'Stockstats, and the generator'
on apply -f "$manifests/kubernetes.yml" -f "$manifests/generator.yml"
on rollout status statefulset/stockstats --timeout "$patience"
on rollout status deployment/stockstats-generator --timeout "$patience"
on get pods --selector app.kubernetes.io/name=stockstats

say "somebody asks for $ticker"
on apply -f - <<'CLIENT'
apiVersion: v1
kind: Pod
metadata:
  name: client
  labels:
    stockstats/client: "true"
spec:
  automountServiceAccountToken: false
  securityContext:
    runAsNonRoot: true
    runAsUser: 100
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: client
      image: docker.io/curlimages/curl:8.11.1
      command: [sleep, infinity]
      securityContext:
        allowPrivilegeEscalation: false
        capabilities:
          drop: [ALL]
CLIENT
on wait pod/client --for condition=Ready --timeout "$patience"
ask
echo

say 'a pod is deleted'
on delete pod stockstats-0 --wait=false
ask
echo

say 'and is back'
on wait pod/stockstats-0 --for delete --timeout 60s || true
on rollout status statefulset/stockstats --timeout "$patience"
ask
echo
say 'all went well'
