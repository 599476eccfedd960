# A Rails application in one file: `bundle exec puma config.ru`.
require "action_controller/railtie"
require_relative "mooring"

# Stands in for a model of yours: your customers' domains, by the connection's id.
DOMAINS = {}

class ApplicationController < ActionController::Base
  protect_from_forgery with: :exception
end

# region origin
# A request through the edge carries its assertion. Any other request is for your own site.
class SitesController < ApplicationController
  def show
    visited = Mooring.verify_assertion(request.headers["X-Svc-Assertion"])
    return head(:not_found) unless visited["cus"]
    render plain: "#{visited["host"]} is the shop of #{visited["cus"]}\n"
  rescue Mooring::Refused
    head :forbidden
  end
end
# end region

# region token
class SvcTokensController < ApplicationController
  def show
    return head(:unauthorized) unless (customer = signed_in_customer)
    response.headers["Cache-Control"] = "no-store"
    token = Mooring.mint_token(customer)
    render json: { baseUrl: Mooring::BASE_URL, applicationId: Mooring::APPLICATION_ID, token: token }
  end

  private

  # Replace it with your session. Never take the customer from the request's own words.
  def signed_in_customer
    ENV["DEMO_CUSTOMER"]
  end
end
# end region

# region webhook
class WebhooksController < ApplicationController
  skip_forgery_protection

  def create
    event = Mooring.verify_webhook(request.raw_post, request.headers)
    store(event["data"]["connection"], event["sequence"])
    head :no_content
  rescue Mooring::Refused
    head :bad_request
  end

  private

  # Events may arrive twice and out of order.
  def store(connection, sequence)
    return unless connection
    return if sequence <= DOMAINS.dig(connection["id"], :sequence).to_i
    DOMAINS[connection["id"]] = {
      customer: connection["customer_ref"], state: connection["state"], sequence: sequence
    }
  end
end
# end region

class SettingsController < ApplicationController
  def show
    render html: File.read(File.join(__dir__, "../settings.html")).html_safe
  end
end

class Shops < Rails::Application
  config.root = __dir__
  config.eager_load = true
  config.logger = Logger.new($stdout)
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { SecureRandom.hex(64) }
  # Customers bring hostnames of their own; the assertion says which are theirs.
  config.hosts.clear
end

Shops.initialize!

# region routes
Rails.application.routes.draw do
  constraints(->(request) { request.headers.key?("X-Svc-Assertion") }) do
    match "(*path)", to: "sites#show", via: :all
  end
  get "/svc-token", to: "svc_tokens#show"
  post "/webhooks", to: "webhooks#create"
  get "/settings", to: "settings#show"
end
# end region
