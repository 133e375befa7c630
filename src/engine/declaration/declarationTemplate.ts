/** The template of a declaration with the most common fields. Fields are commented out with `#`, remarks with `# `. */
export const commonTemplate = `# The IPs, settings and schedules that the account should have. Uncomment the fields that you need, with their
# parent keys. Editors show all other fields.

zoneIpAllocations:
  #main:
    #zones:
      # These IPs are in the zone: addresses, ranges, networks, or { file: NAME } with one per line.
      #checkout: { ips: [192.0.2.10, 192.0.2.20-192.0.2.29] }
      # Exactly so many IPs of each country. No call leaves the zone with fewer IPs than keepAtLeast.
      #pricing: { count: { us: 10, de: 5 }, keepAtLeast: 5 }
    # The zone that gives IPs, and takes those that are left over.
    #spare: parked
    # Zones that may give IPs and are never filled.
    #sources: [old-pricing]
    # These IPs move only into the zone that declares them.
    #protect: [192.0.2.10]
    # The most IPs that one run moves: a number, or a share of the live ones.
    #maxMoves: 20%

managerSettings:
  # Settings of the proxy manager. Those that are not named here stay as they are.
  #main:
    #logs: 1000
    #whitelistIps: [10.0.0.0/8]

# Deliveries and schedules are registered at the trigger service under an owner.
#name: acme

webhookDeliveries:
  #main:
    #endpoint: https://hooks.example.com/webdata

collectorSchedules:
  #main:
    #collector: c_prices
    # Every night at three o'clock.
    #cron: 0 3 * * *
    #inputs: [{ url: https://shop.example.com/a }]
    #delivery: main

#service:
  # By default WEBDATA_API_URL. The key is in WEBDATA_API_KEY.
  #url: https://api.example.com
`;
