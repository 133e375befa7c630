# Rules for the JSON plan of webdata, for Conftest:
#   webdata plan --format json | conftest test --policy examples/policy/conftest -
# With the history, the moves of the last 24 hours count as well:
#   webdata history --format json > history.json
#   webdata plan --format json | conftest test --policy examples/policy/conftest --data history.json -
package main

import rego.v1

# IPs may enter these zones, and never leave them.
kept_zones := {"checkout"}

# The most IPs that may move in 24 hours, with those of the plan.
most_moves_a_day := 20

# The most that one plan may cost, by `prices` of the declaration. A plan without a price has no cost.
most_cost := 50

moves contains {"ip": move.ip, "from": call.from, "to": call.to} if {
	some resource in input.resources
	some call in resource.calls
	call.type == "migrate"
	some move in call.ips
}

deny contains message if {
	some zone in kept_zones
	leaving := {move.ip | some move in moves; move.from == zone}
	count(leaving) > 0
	message := sprintf("%s must keep its IPs, and the plan moves %s out of it", [zone, concat(", ", sort(leaving))])
}

# IPs that a call of the last 24 hours moved. A call whose outcome is not known counts with all its IPs.
recent contains {"ip": move.ip, "at": made.sentAt} if {
	some run in data.runs
	some made in run.calls
	made.call.type == "migrate"
	made.outcome != "refused"
	time.now_ns() - time.parse_rfc3339_ns(made.sentAt) < 24 * 3600 * 1000000000
	some move in made.call.ips
}

deny contains message if {
	before := count(recent)
	planned := count(moves)
	planned > 0
	before + planned > most_moves_a_day
	message := sprintf("at most %d IPs may move in 24 hours: %d have moved, and the plan moves %d", [most_moves_a_day, before, planned])
}

deny contains message if {
	cost := input.summary.cost
	cost.amount > most_cost
	message := sprintf("the moves cost %v, and a plan may cost at most %v", [cost.amount, most_cost])
}
