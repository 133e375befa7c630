/**
 * The names of the service's specification, typed by hand from its text, by the section of docs/evidence/coverage.md that has their rows;
 * and words of what has no name there.
 */

const zoneNames = ['name', 'password', 'datacenter', 'ISP', 'residential', 'mobile', 'unlocker', 'search', 'browser'];

const companyFields = [
  ...['about', 'description', 'slogan', 'headquarters', 'industries', 'sphere', 'type', 'organization_type'],
  ...['company_size', 'name', 'id', 'url', 'website', 'country_code', 'company_id', 'crunchbase_url', 'image', 'logo'],
  ...['employees_in_linkedin', 'followers', 'founded', 'affiliated', 'investors', 'locations', 'formatted_locations'],
  ...['specialties', 'stock_info', 'funding', 'last_round_date', 'last_round_type', 'rounds', 'get_directions_url'],
  ...['directions_url', 'employees', 'img', 'link', 'subtitle', 'title', 'similar', 'Links', 'location', 'updates'],
  ...['text', 'time', 'comments_count', 'likes_count', 'external_link', 'images', 'videos', 'input'],
];

const settingFields = [
  ...['customer', 'zone', 'password', 'www_whitelist_ips', 'whitelist_ips', 'fixed_whitelist_ips', 'read_only'],
  ...['config', 'test_url', 'logs', 'log', 'har_limit', 'request_stats', 'dropin', 'pending_ips', 'pending_www_ips'],
  ...['zagent', 'sync_config'],
];

const requestFields = [
  ...['zone', 'url', 'format', 'raw', 'json', 'method', 'GET', 'country', 'city', 'zip', 'ASN', 'carrier', 'os', 'dns'],
  ...['local', 'remote', 'session', 'ip', 'gip', 'c_tag', 'direct', 'data_format', 'markdown', '200', '400', '401'],
];

const deliverFields = [
  ...['s3', 'gcs', 'azure', 'sftp', 'webhook', 'snowflake', 'email', 'type', 'bucket', 'credentials', 'region'],
  ...['directory', 'filename', 'template', 'extension', '{[datetime]}', 'delivery_type', 'deliver_results'],
];

const generalFields = [
  ...['search_engine', 'query', 'language', 'location', 'search_type', 'page_title', 'results_cnt', 'search_time'],
  ...['mobile', 'basic_view', 'timestamp'],
];

const organicFields = [
  ...['link', 'source', 'display_link', 'title', 'description', 'icon', 'image', 'image_base64', 'duration'],
  ...['duration_sec', 'snippet_highlighted_words', 'extensions', 'inline', 'type', 'text', 'rank', 'global_rank'],
];

const imageFields = [
  ...['original_image', 'source_logo', 'image_alt', 'recipe', 'rating', 'reviews_cnt', 'summary', 'volume'],
  'ingredients',
];

const reviewFields = [
  ...['reviews', 'review_id', 'reviewer', 'profile_photo_url', 'display_name', 'link', 'source', 'source_logo'],
  ...[
    'rating',
    'created',
    'date',
    'comment',
    'review_reply',
    'review_reply_created',
    'photos',
    'details',
    'id',
    'name',
  ],
  ...['description', 'value'],
];

const detailIds = [
  ...['HOTELS_ASPECT_ROOMS', 'HOTELS_ASPECT_SERVICES', 'HOTELS_ASPECT_LOCATION', 'HOTELS_PILOT_TRIP_TYPE'],
  ...['HOTELS_PILOT_TRAVEL_GROUP_TYPE', 'HOTELS_VIBE', 'HOTELS_TIPS_TOPICS_ROOMS'],
  ...['HOTELS_TIPS_TOPICS_NEARBY_ACTIVITIES', 'HOTELS_TIPS_TOPICS_SAFETY', 'HOTELS_TIPS_TOPICS_WALKABILITY'],
];

export const sourceIps = [
  ...['54.175.27.69', '34.225.9.175', '100.28.38.247', '100.29.18.195', '52.72.185.255', '35.174.112.248'],
  ...['54.165.183.124', '3.91.140.7', '52.202.75.37', '98.82.225.117', '100.27.150.189', '18.214.10.85'],
  ...['35.169.71.210', '44.194.183.74'],
];

export const specification: Readonly<Record<string, readonly string[]>> = {
  Addresses: ['{base_url}', '{proxy_host}', '44445', '{manager_url}', '22999', '{search_engine_url}'],
  'What the service does': [
    ...['Fetch a URL', 'Run a collector', 'Trigger dataset scrapes', 'List static IPs', 'List the ASNs'],
    ...['Configure a local proxy manager', 'Search and review pages', 'Access by API key', 'Both are billed'],
  ],
  Zone: zoneNames,
  'API key': ['value', 'user', 'permission', 'expiration', 'unlimited', 'One key a user'],
  'Account ID': ['hl_'],
  Collector: ['c_', 'url', 'keyword', 'location', 'country'],
  'Collection run': ['collection_id', 'j_...', 'snapshot_id', 'id', 'start_eta'],
  'Dataset of a run': ['input'],
  Snapshot: ['snapshot_id', 's_...', ...companyFields],
  'Static IP entry': ['ip', 'geo_db_1', 'ext', 'geo_db_2', 'geo_db_3', 'geo_db_4'],
  'ASN entry': ['asn', 'title'],
  'Proxy manager settings': settingFields,
  'Results: states': ['building', 'ready', 'expired', 'Snapshot not ready', 'Snapshot not found'],
  'API keys: states': ['active', 'expired'],
  'A. Proxied request': ['POST {base_url}/request', ...requestFields],
  'B1. Trigger a batch': [
    'POST {base_url}/dca/trigger',
    ...[
      'collector',
      'queue_next',
      'queue_next=1',
      'notify',
      'deliver',
      'dev',
      'collection_id',
      'start_eta',
      ...deliverFields,
    ],
  ],
  'B2. Receive batch data': [
    'GET {base_url}/dca/dataset?id=<collection_id>',
    'id',
    'status',
    'building',
    '[',
    'every five seconds',
  ],
  'C1. Trigger a dataset collection': [
    'POST {base_url}/datasets/v3/trigger',
    ...['dataset_id', 'gd_...', 'format', 'json', 'ndjson', 'csv', 'endpoint', 'webhook', 'uncompressed_webhook'],
    ...['webhook_header_Authorization', 'url', 'snapshot_id'],
  ],
  'C2. Snapshot content': [
    'GET {base_url}/datasets/snapshots/<snapshot_id>/download?format=<format>',
    ...['format', 'json', '200', 'error', 'Snapshot not ready', 'Snapshot not found'],
  ],
  'D1. Static IPs of a zone': ['GET {base_url}/zone/ips', 'zone', 'ips'],
  'D2. Recent IPs': ['GET {base_url}/zone/recent_ips', 'zones', '*'],
  'D3. Migrate static IPs': ['POST {base_url}/zone/ips/migrate', 'from', 'to', 'ips', 'count', 'Admin', 'Ops'],
  'E. Reseller': ['GET {base_url}/api/{PARTNER_NAME}/get_asn', '{PARTNER_NAME}', 'asn', 'title'],
  'F. Local proxy manager': [
    'PUT {manager_url}/api/settings',
    ...['zone', 'www_whitelist_ips', 'whitelist_ips', 'logs', 'request_stats'],
    ...['POST {manager_url}/api/proxies/delete', 'ports', 'GET {manager_url}/api/recent_stats'],
  ],
  'G1. Search page': [
    '{search_engine_url}/search?q=<query>&start=<offset>',
    ...['q', 'start', 'num', 'general', ...generalFields, 'input', 'original_url', 'request_id', 'navigation', 'title'],
    ...['href', 'organic', ...organicFields, 'images', ...imageFields],
  ],
  'G2. Place reviews': [
    '{search_engine_url}/reviews?fid=<feature_id>&start=<offset>',
    ...['fid', 'knowledge.fid', 'start', 'num', '<n>/5', ...reviewFields, ...detailIds],
  ],
  'API access': ['Authorization: Bearer <API_KEY>', '401', 'Admin', 'Finance', 'Ops', 'Limit', 'User'],
  'Native proxy access': [
    '{proxy_host}:44445',
    'svc-customer-<account_id>-zone-<zone_name>:<proxy_password>',
    ...['<account_id>', '<zone_name>', '<proxy_password>', '-', ':', 'case sensitive', 'no spaces', 'A certificate'],
  ],
  'Collection-finished notification': ['notify', 'type', 'webhook', 'email', 'endpoint', 'deliver'],
  'Dataset webhook delivery': [
    'endpoint',
    'POST',
    'uncompressed_webhook=true',
    '200',
    '30 seconds',
    'is repeated',
    ...sourceIps,
  ],
  Errors: ['/dca/trigger', '401', '404', '422', '5xx', '/request', '400', '/dca/dataset', '[]', 'city', 'zip', 'ASN'],
  Limits: [
    ...['30 seconds', '1 GB', '16 days', '7 days', 'One API key a user', '10 results', 'num', '5 seconds'],
    ...['Concurrency is limited', 'Rate limits'],
  ],
  Versioning: ['1.0.0', '/datasets/v3/trigger', 'num'],
  'Where the service differs': ['start_eta', 'ext'],
  'What is not shown': ['data_format', 'GET {manager_url}/api/recent_stats', 'queue_next', 'webhook'],
};
