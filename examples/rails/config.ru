require_relative "app"
run Rails.application
