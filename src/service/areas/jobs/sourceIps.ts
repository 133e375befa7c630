/** Source addresses of webhook deliveries (specification, Events), for firewalls, security groups and receivers. */

/** All source addresses, in the order of the specification. */
export const deliverySourceIps: readonly string[] = [
  '54.175.27.69',
  '34.225.9.175',
  '100.28.38.247',
  '100.29.18.195',
  '52.72.185.255',
  '35.174.112.248',
  '54.165.183.124',
  '3.91.140.7',
  '52.202.75.37',
  '98.82.225.117',
  '100.27.150.189',
  '18.214.10.85',
  '35.169.71.210',
  '44.194.183.74',
];
