#!/usr/bin/env bash
# Shows how instances of Stockstats stand in for each other, on this machine alone: a broker, two instances, a third
# that joins, one that is killed and comes back, and somebody who asks for every ticker all the time. It needs a JDK 17
# or newer, curl, and a minute or two. Whatever it starts it ends, and it leaves no file behind but the package, which
# it builds when there is none.
#
#   src/demo/failover.sh
#   HTTP_PORTS='9081 9082 9083' BROKER_PORT=9193 src/demo/failover.sh    # where the usual ports are taken
#
# Exit code: 0 when all went as the README says, else 1.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."

read -r -a ports <<<"${HTTP_PORTS:-8081 8082 8083}"
broker_port=${BROKER_PORT:-9192}
partitions=6
tickers=(MMM ABT ABBV ACN ATVI AYI ADBE AAP AES AET)
rate=200 # trades per second

# What is promised, with room for a busy machine.
start_within=120    # seconds
fresh_within=60     # seconds
unanswered_max=5000 # ms

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jvm=(-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData)

# ---- saying things, and ending ----

begun=$SECONDS
work=
instances=() # process ids by number
prober=

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
heading() { printf '\n%s  == %s\n' "$(date +%T)" "$*"; }
detail() { printf '          %s\n' "$*"; }

fail() {
  printf '\n%s  FAILED: %s\n' "$(date +%T)" "$*" >&2
  exit 1
}

finish() {
  local status=$?
  set +e
  trap - EXIT
  trap '' INT TERM HUP
  if [ -n "$work" ]; then
    if [ "$status" = 1 ]; then
      for log in "$work"/*.log; do
        [ -s "$log" ] || continue
        printf '\n---- the end of %s ----\n' "$(basename "$log")"
        # Without what the health check says each time that it is asked.
        grep -v SRHCK01001 "$log" | tail -n 15
      done >&2
    fi
    rm -f "$work/probing"
  fi
  [ -z "$prober" ] || wait "$prober" 2>/dev/null
  # What still runs of this shell's own children: the instances and the broker.
  local running
  running=$(jobs -pr)
  if [ -n "$running" ]; then
    # shellcheck disable=SC2086
    kill -9 $running 2>/dev/null
    # shellcheck disable=SC2086
    wait $running 2>/dev/null
  fi
  [ -z "$work" ] || rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# Waits until a command succeeds: within so many seconds, for something that has a name.
wait_until() {
  local within=$1 what=$2
  shift 2
  local until=$((SECONDS + within))
  until "$@"; do
    [ "$SECONDS" -lt "$until" ] || fail "$what: not within $within s"
    sleep 0.2
  done
}

# Milliseconds since the epoch, into $now.
tick() {
  if [ -n "${EPOCHREALTIME-}" ]; then
    now=$((${EPOCHREALTIME/./} / 1000))
  else
    now=$(($(date +%s) * 1000)) # bash before 5
  fi
}

seconds() { printf '%d.%02d s' $(($1 / 1000)) $(($1 % 1000 / 10)); }

# ---- the processes ----

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

start_broker() {
  "$java" "${jvm[@]}" -Djava.io.tmpdir="$work/tmp" -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
    -cp "target/classes:$(cat target/demo.classpath)" \
    io.stockstats.dev.BrokerProcess "$broker_port" "$work/broker" >"$work/broker.log" 2>&1 &
  broker=$!
}

broker_serves() {
  kill -0 "$broker" 2>/dev/null || fail "the broker ended"
  listens "$broker_port"
}

# Starts instance $1 and logs to the file $2; further arguments are properties.
start_instance() {
  local n=$1 log=$2
  shift 2
  "$java" "${jvm[@]}" -Djava.io.tmpdir="$work/tmp" \
    -Dkafka.bootstrap.servers="127.0.0.1:$broker_port" \
    -Dquarkus.http.host=127.0.0.1 -Dquarkus.http.port="${ports[n - 1]}" \
    -Dstockstats.instance.name="stockstats-$n" -Dkafka-streams.state.dir="$work/state-$n" \
    -Dstockstats.topics.create=true -Dstockstats.topics.partitions="$partitions" \
    "$@" -jar target/quarkus-app/quarkus-run.jar >"$work/$log" 2>&1 &
  instances[n]=$!
}

# Whether the service says that instance $1 is ready.
ready() {
  kill -0 "${instances[$1]}" 2>/dev/null || fail "stockstats-$1 ended"
  curl -sf -m 5 -o "$work/ready" "http://127.0.0.1:${ports[$1 - 1]}/q/health/ready"
}

ended() { ! kill -0 "${instances[$1]}" 2>/dev/null; }

# ---- who does what: GET /instances of the first instance ----

# One line per instance: name, state, then for active and standby the partitions (1,2 or -) and the sum of their lags
# (- where it is unknown).
instances_now() {
  curl -sf -m 5 "http://127.0.0.1:${ports[0]}/instances" | sed 's/{"name":/\
&/g' | awk '
    function part(text, which,    list, n, i, each, lag, sum, names) {
      if (!match(text, "\"" which "\":\\[[^]]*\\]")) return "- -"
      list = substr(text, RSTART, RLENGTH)
      n = split(list, each, /\},/)
      for (i = 1; i <= n; i++) {
        if (!match(each[i], /"partition":[0-9]+/)) continue
        names = names (names == "" ? "" : ",") substr(each[i], RSTART + 12, RLENGTH - 12)
        if (match(each[i], /"lag":[0-9]+/)) { if (sum != "-") sum += substr(each[i], RSTART + 6, RLENGTH - 6) }
        else sum = "-"
      }
      return (names == "" ? "- 0" : names " " sum)
    }
    /^\{"name":/ {
      match($0, /"name":("[^"]*"|null)/); name = substr($0, RSTART + 7, RLENGTH - 7); gsub(/"/, "", name)
      match($0, /"state":"[^"]*"/); state = substr($0, RSTART + 9, RLENGTH - 10)
      print name, state, part($0, "active"), part($0, "standby")
    }'
}

show_instances() {
  detail "$(printf '%-14s %-12s %-12s %10s   %-12s %10s' instance state active lag standby lag)"
  instances_now | while read -r name state active lag standby copy_lag; do
    detail "$(printf '%-14s %-12s %-12s %10s   %-12s %10s' "$name" "$state" "$active" "$lag" "$standby" "$copy_lag")"
  done || fail "/instances of stockstats-1 is not answered"
}

# How many changelog records instance $1 has read since its start, for partitions of its own and for copies, and how many
# there are: "n of m".
changelog_read() {
  local read held
  read=$(curl -sf -m 5 "http://127.0.0.1:${ports[$1 - 1]}/q/metrics" |
    sed -n 's/^kafka_consumer_fetch_manager_records_consumed_total{.*restore-consumer".*} //p' |
    awk '{ sum += $1 } END { printf "%.0f", sum }') || return 1
  # The broker notes the ends of its topics every five seconds.
  held=$(awk '$1 == "stockstats-panes-changelog" { sum += $3 } END { printf "%.0f", sum }' \
    "$work/broker/replication-offset-checkpoint")
  echo "$read of $held"
}

# Whether $1 instances run, each with partitions of its own, each partition is processed and has a copy, and nobody is
# behind by more than two seconds' trades.
shared_by() {
  instances_now | awk -v n="$1" -v all="$partitions" -v near=$((2 * rate)) '
    function count(list) { return list == "-" ? 0 : split(list, unused, ",") }
    $2 == "RUNNING" && $3 != "-" && $4 != "-" && $4 <= near && $6 != "-" && $6 <= near { good++ }
    { active += count($3); standby += count($5) }
    END { exit !(good == n && NR == n && active == all && standby == all) }'
}

# ---- somebody who asks for every ticker, all the time ----

# Twice a second one question for each ticker, to one instance after the other, all at the same time. Writes a line for
# each: when the answer came (ms), ticker, port, HTTP status (0: nobody there), 1 if it was marked stale, when it was
# asked (ms). $work/ask holds the ports to ask.
probe() {
  local round=0 now at at_ports i
  # $$ is the script itself.
  while [ -e "$work/probing" ] && kill -0 $$ 2>/dev/null; do
    tick
    at=$now
    read -r -a at_ports <"$work/ask"
    for i in "${!tickers[@]}"; do
      printf 'url = "http://127.0.0.1:%s/stats/%s"\noutput = "%s"\n' \
        "${at_ports[(i + round) % ${#at_ports[@]}]}" "${tickers[i]}" "$work/answers/${tickers[i]}"
    done >"$work/questions"
    { curl -sZ --no-progress-meter -m 5 -K "$work/questions" -w '%{url_effective} %{http_code} %{time_total}\n' 2>/dev/null || true; } |
      awk -v at="$at" -v answers="$work/answers/" -v stale_answers="$work/stale" '
        {
          split($1, url, /[:\/]/)
          stale = 0
          if ($2 == 200) {
            file = answers url[7]
            getline answer <file
            close(file)
            stale = index(answer, "\"stale\":true") > 0
            if (stale) print answer >>stale_answers
          }
          printf "%.0f %s %s %d %d %s\n", at + 1000 * $3, url[7], url[5], $2, stale, at
        }' >>"$work/probe"
    round=$((round + 1))
    tick
    if [ $((now - at)) -lt 500 ]; then
      sleep "$(printf '0.%03d' $((at + 500 - now)))"
    fi
  done
}

ask() { printf '%s\n' "$*" >"$work/ask.new" && mv "$work/ask.new" "$work/ask"; }

# Whether, since $1 (ms), each ticker's last three answers (so: from three instances) were by the partition's owner.
all_fresh_since() {
  awk -v since="$1" -v all="${#tickers[@]}" '
    $1 >= since { fresh[$2] = $4 == 200 && !$5 ? fresh[$2] + 1 : 0 }
    END { for (ticker in fresh) if (fresh[ticker] >= 3) n++; exit !(n == all) }' "$work/probe"
}

# What was answered since $1 (ms): "answers stale 503s others longest fresh_after", the last two in ms. The longest is
# the time from a question about a ticker to the next answer about it, whoever gave it. A ticker is fresh again with the
# answer after its last that was stale or none.
effect_since() {
  awk -v since="$1" '
    !($2 in asked) { asked[$2] = $6 }
    $4 == 200 {
      waited = $1 - asked[$2]
      delete asked[$2]
      if ($1 >= since && waited > longest) longest = waited
    }
    $1 < since { next }
    $4 == 200 { answers++; stale += $5 }
    $4 == 503 { refused++ }
    $4 != 200 && $4 != 503 { other++ }
    $4 != 200 || $5 { unsure[$2] = 1; next }
    unsure[$2] { unsure[$2] = 0; if ($1 - since > fresh) fresh = $1 - since }
    END { printf "%d %d %d %d %d %d\n", answers, stale, refused, other, longest, fresh }' "$work/probe"
}

# Waits until all is fresh after what began at $1 (ms), says what it meant to who asked, and holds it against what is
# promised. Leaves $stale and $fresh_after.
report_since() {
  local answers refused other longest
  wait_until "$fresh_within" "every ticker answered by its partition's owner" all_fresh_since "$1"
  read -r answers stale refused other longest fresh_after < <(effect_since "$1")
  say "somebody asks all the time: $answers answers, $stale of them stale; $refused times 503, $other times nobody there"
  detail "the longest wait for an answer: $(seconds "$longest")"
  total=$((total + answers))
  [ "$longest" -le "$longest_of_all" ] || longest_of_all=$longest
  [ "$longest" -le "$unanswered_max" ] || fail "nobody answered for a ticker for $(seconds "$longest")"
}

# ---- what there must be ----

command -v "$java" >/dev/null || fail "no java: a JDK 17 or newer is needed"
command -v curl >/dev/null || fail "no curl"
[ "${#ports[@]}" -eq 3 ] || fail "HTTP_PORTS must hold three ports"
for port in "${ports[@]}" "$broker_port"; do
  ! listens "$port" || fail "port $port is taken: choose others with HTTP_PORTS='9081 9082 9083' or BROKER_PORT=9193"
done
if [ ! -e target/quarkus-app/quarkus-run.jar ] || [ ! -e target/demo.classpath ]; then
  # The package only. It switches no test off: ./mvnw verify runs them all, and among them this script, on the package that
  # it has made; were they run from here, the script would run itself.
  say "building the package"
  ./mvnw -q -B -DskipTests package
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/stockstats-demo-XXXXXX")
mkdir "$work/answers" "$work/tmp"
total=0
longest_of_all=0

# ---- the show ----

heading "A broker, and two instances: stockstats-1, which also generates $rate trades a second, and stockstats-2"
start_broker
wait_until "$start_within" "the broker" broker_serves
start_instance 1 stockstats-1.log -Dstockstats.generator.enabled=true -Dstockstats.generator.rate="$rate" \
  -Dstockstats.generator.tickers="$(IFS=, && echo "${tickers[*]}")"
start_instance 2 stockstats-2.log
wait_until "$start_within" "stockstats-1 ready" ready 1
wait_until "$start_within" "stockstats-2 ready" ready 2
wait_until "$start_within" "$partitions partitions shared by two, with a copy of each" shared_by 2
show_instances
ask "${ports[0]}" "${ports[1]}"
: >"$work/probe"
touch "$work/probing"
tick
probe &
prober=$!
report_since "$now"

heading "A third joins: partitions and copies move to it"
tick
joined=$now
start_instance 3 stockstats-3.log
wait_until "$start_within" "stockstats-3 ready" ready 3
ask "${ports[@]}"
wait_until "$start_within" "$partitions partitions shared by three, with a copy of each" shared_by 3
show_instances
report_since "$joined"

heading "kill -9 of stockstats-2"
: >"$work/stale"
tick
killed=$now
kill -9 "${instances[2]}"
ask "${ports[0]}" "${ports[2]}"
wait "${instances[2]}" 2>/dev/null || true
wait_until 10 "an answer that is marked stale" test -s "$work/stale"
say "copies answer, and say so:"
detail "$(head -n 1 "$work/stale")"
show_instances
report_since "$killed"
fresh_again=$fresh_after
stale_meanwhile=$stale
[ "$stale" -gt 0 ] || fail "no answer was marked stale"
say "fresh again $(seconds "$fresh_again") after the kill: when the group's session timeout (8 s) was over, others took over"
show_instances

heading "stockstats-2 comes back, on its state directory"
tick
back=$now
start_instance 2 stockstats-2-again.log
wait_until "$start_within" "stockstats-2 ready" ready 2
after_kill=$(changelog_read 2) || fail "/q/metrics of stockstats-2 is not answered"
ask "${ports[@]}"
wait_until "$start_within" "$partitions partitions shared by three, with a copy of each" shared_by 3
show_instances
report_since "$back"
say "it read $after_kill changelog records: what its last checkpoint lacked (one is made every 10,000 of a partition)"

heading "stockstats-2 is stopped (SIGTERM) and started again, on its state directory"
ask "${ports[0]}" "${ports[2]}"
tick
stopped=$now
kill "${instances[2]}"
wait_until 30 "the end of stockstats-2" ended 2
code=0
wait "${instances[2]}" || code=$?
tick
say "it ended after $(seconds $((now - stopped))) with exit code $code"
[ "$code" -eq 0 ] || fail "a stop must end with exit code 0"
start_instance 2 stockstats-2-restarted.log
wait_until "$start_within" "stockstats-2 ready" ready 2
after_stop=$(changelog_read 2) || fail "/q/metrics of stockstats-2 is not answered"
tick
away=$((now - stopped))
ask "${ports[@]}"
wait_until "$start_within" "$partitions partitions shared by three, with a copy of each" shared_by 3
show_instances
report_since "$stopped"
say "it read $after_stop changelog records: what was written in the $(seconds "$away") until it was ready"
[ "${after_stop%% *}" -le $((rate * (away / 1000 + 2))) ] || fail "that is more than was traded meanwhile"

heading "Summary"
detail "$total answers; the longest wait for one: $(seconds "$longest_of_all")"
detail "after kill -9: $stale_meanwhile stale answers, all fresh again after $(seconds "$fresh_again")"
detail "changelog records read to be back: after kill -9 $after_kill, after a stop $after_stop"
detail "all as promised, in $((SECONDS - begun)) s"
