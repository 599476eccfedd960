/** English messages of the first screens, which are part of the first script. */
export const enFirst = {
  close: "Close",
  back: "Back",
  continue: "Continue",
  retry: "Try again",
  loading: "Loading…",
  branding: "Secured by {name}",
  offline: "No connection. We go on as soon as you are back online.",
  opens_new_window: "opens in a new window",
  stage_domain: "Domain",
  stage_setup: "Setup",
  stage_check: "Check",
  stage_live: "Live",
  stage_of: "Step {at} of {all}: {name}",
  enter_title: "Which domain do you want to use?",
  enter_lede:
    "Connect a domain you own to {brand}. It takes a few minutes, and we guide you through it.",
  enter_label: "Your domain",
  enter_placeholder: "shop.example.com",
  enter_hint: "For example example.com or shop.example.com",
  enter_apex:
    "{domain} is a root domain: visitors of the bare name will see {brand}. If you have a website there now, it is replaced; e-mail stays as it is.",
  enter_subdomain:
    "{domain} is a subdomain: only this address leads to {brand}. The rest of your website stays as it is.",
  did_you_mean: "Did you mean {domain}?",
  problem_empty: "Enter the domain you want to connect.",
  problem_incomplete: "This is not a whole domain yet. It needs an ending, like example.com.",
  problem_characters: "A domain has letters, digits, hyphens and dots only.",
  problem_email: "This seems to be an e-mail address. Enter only the part after the @.",
  problem_ip: "This is an IP address. Enter a name like example.com.",
  problem_hyphen:
    "No part of a name can begin or end with a hyphen, or have two of them in third and fourth position.",
  problem_wildcard:
    "{brand} does not connect wildcards (*). Enter one address, like shop.example.com.",
  problem_underscore: "An address that people visit cannot have an underscore.",
  problem_long: "This name is longer than DNS allows.",
  problem_other_domain: "This session is for {domain} only.",
  problem_refused: "This name cannot be connected. Check its spelling, or choose another one.",
  problem_suffix:
    "This is an ending under which names are registered. Enter your own name under it, like example.com.",
  analysis_checking: "Checking {domain}",
  analysis_checking_lede:
    "We find out who manages its DNS and what is there now. Nothing is changed.",
  analysis_resuming: "Picking up where you left off",
} as const;
