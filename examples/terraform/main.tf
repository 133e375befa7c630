# The quickstart account in Terraform or OpenTofu, with the same declaration as ../quickstart/webdata.yaml.
terraform {
  required_providers {
    webdata = { source = "webdata/webdata" }
  }
}

# URLs and keys come from WEBDATA_API_URL, WEBDATA_API_KEY and WEBDATA_MANAGER_URL.
provider "webdata" {
  owner = "quickstart/${terraform.workspace}" # of deliveries and schedules: one for each workspace
}

resource "webdata_zone_ip_allocation" "static" {
  zones = {
    checkout = {
      ips           = ["198.18.1.10", "198.18.1.11"] # both are in pricing today
      count         = { us = 42 }
      keep_at_least = 30
    }
    pricing        = { count = { us = 50, de = 24 } }
    search-monitor = { count = { us = 20, jp = 18 } }
    stock-check    = { count = { "*" = 45 } } # of any country
    archive        = { count = { "*" = 20 }, keep_at_least = 10 }
  }
  sources   = ["legacy-pricing"] # gives IPs, is never filled
  spare     = "parked"           # gives IPs, and takes what is left over
  protect   = ["198.18.0.1"]
  max_moves = "20%"
}

resource "webdata_manager_settings" "local" {
  zone              = "checkout"
  whitelist_ips     = ["10.0.0.0/8", "192.168.10.0/24"]
  www_whitelist_ips = ["127.0.0.1", "10.0.0.5"]
  logs              = 500
  request_stats     = true
  absent_ports      = [24010]
}

data "webdata_zone_ips" "pricing" {
  zone = "pricing"
}

output "checkout_ips" {
  value = provider::webdata::ips_of(webdata_zone_ip_allocation.static, "checkout")
}

output "pricing_countries" {
  value = distinct(values(data.webdata_zone_ips.pricing.countries))
}
