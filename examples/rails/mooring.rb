require "base64"
require "json"
require "net/http"
require "openssl"

# What the integration asks of the service. In a Rails application: app/models/mooring.rb.
module Mooring
  BASE_URL = ENV.fetch("MOORING_URL")
  API_KEY = ENV.fetch("MOORING_API_KEY")
  APPLICATION_ID = ENV.fetch("MOORING_APP")
  WEBHOOK_SECRET = ENV.fetch("MOORING_WEBHOOK_SECRET")

  class Refused < StandardError; end

  module_function

  def mint_token(customer)
    body = { application_id: APPLICATION_ID, customer_ref: customer }.to_json
    headers = { "Authorization" => "Bearer #{API_KEY}", "Content-Type" => "application/json" }
    answer = Net::HTTP.post(URI("#{BASE_URL}/v1/tokens"), body, headers)
    raise "the service answered #{answer.code}" unless answer.code == "201"
    JSON.parse(answer.body).fetch("auth_token")
  end

  # region verify-webhook
  def verify_webhook(body, headers)
    timestamp = headers["X-Svc-Timestamp"]
    fresh = timestamp.to_s.match?(/\A\d{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
    raise Refused, "the delivery is too old, or has no timestamp" unless fresh
    expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", WEBHOOK_SECRET, "#{timestamp}.#{body}")
    # For 24 hours after a rotation the old secret signs too.
    names = ["X-Svc-Signature", "X-Svc-Signature-Previous"]
    signed = names.any? { |name| OpenSSL.secure_compare(expected, headers[name].to_s) }
    raise Refused, "the signature does not match" unless signed
    JSON.parse(body)
  end
  # end region

  # region verify-assertion
  CLOCK_TOLERANCE_SECONDS = 30

  # The claims of a token that a key of the service signed for this application within the last 90 seconds.
  def verify_assertion(token)
    head, claims, signature = token.split(".", -1).map { |part| Base64.urlsafe_decode64(part) }
    head, claims = JSON.parse(head), JSON.parse(claims)
    type = head.values_at("alg", "typ")
    raise Refused, "this is another kind of token" unless type == ["EdDSA", "svc-assertion+jwt"]
    key = key_of(head["kid"]) or raise Refused, "the key is not known"
    signed = token.rpartition(".").first
    raise Refused, "the signature does not match" unless key.verify(nil, signature, signed)
    ours = claims.values_at("iss", "aud") == [BASE_URL, APPLICATION_ID]
    window = (claims["iat"] - CLOCK_TOLERANCE_SECONDS)...(claims["exp"] + CLOCK_TOLERANCE_SECONDS)
    raise Refused, "the token is for others, or has expired" unless ours && window.cover?(Time.now.to_i)
    claims
  rescue ArgumentError, JSON::ParserError, OpenSSL::PKey::PKeyError, TypeError, NoMethodError
    raise Refused, "the token is malformed"
  end

  KEYS = { by_id: {}, tried_at: Time.at(0) }
  LOCK = Mutex.new

  # Fetched again after five minutes, and for an unknown id at most every ten seconds.
  def key_of(id)
    LOCK.synchronize do
      age = Time.now - KEYS[:tried_at]
      if age > 300 || (!KEYS[:by_id].key?(id) && age > 10)
        KEYS[:tried_at] = Time.now
        KEYS[:by_id] = fetch_keys
      end
      KEYS[:by_id][id]
    end
  end

  def fetch_keys
    set = JSON.parse(Net::HTTP.get(URI("#{BASE_URL}/.well-known/jwks.json")))
    set["keys"].select { |key| key["crv"] == "Ed25519" }.to_h do |key|
      # The fixed beginning of a public key of this kind in DER (RFC 8410 §10.1).
      der = ["302a300506032b6570032100"].pack("H*") + Base64.urlsafe_decode64(key["x"])
      [key["kid"], OpenSSL::PKey.read(der)]
    end
  end
  # end region
end
