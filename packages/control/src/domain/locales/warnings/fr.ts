import type { WarningTexts } from "./en.ts";

export const fr: WarningTexts = {
  not_registered:
    "{zone} n’est pas encore enregistré. Enregistrez-le d’abord, ou vérifiez l’orthographe.",
  ending_unknown: "{domain} a une extension qui n’existe pas. Vouliez-vous dire {meant} ?",
  mixed_script:
    "Vérifiez que {domain} est bien le nom voulu : « {label} » mélange des lettres de plusieurs alphabets.",
  latin_lookalike:
    "Vérifiez que {domain} est bien le nom voulu : des lettres de « {label} » ressemblent à des lettres latines.",
  dnssec_broken:
    "Le DNSSEC de {zone} est cassé, si bien que beaucoup de visiteurs ne peuvent pas y accéder. Là où vous avez acheté {zone}, désactivez DNSSEC ou reconfigurez-le.",
  ns_failing:
    "Les serveurs de noms de {zone} ne répondent pas pour lui. Vérifiez-les là où vous avez acheté {zone}.",
  ns_mixed_operators:
    "Le DNS de {zone} est réparti entre plusieurs fournisseurs. Les enregistrements sont nécessaires chez chacun d’eux.",
  provider_ambiguous:
    "Les serveurs de noms de {zone} sont partagés par plusieurs marques ({providers}). Assurez-vous de savoir où votre DNS est géré.",
  domain_connect_stale:
    "{provider} propose de créer les enregistrements, mais {zone} utilise d’autres serveurs de noms. Assurez-vous que votre DNS y est encore géré.",
  zone_delegated: "{zone} a ses propres réglages DNS : les enregistrements vont là.",
  caa_unanswered:
    "Les serveurs de noms de {zone} ne répondent pas à toutes les questions. Sans réponse, aucun certificat ne peut être délivré.",
  caa_forbidden:
    "Un enregistrement CAA de {name} interdit le certificat. Il faut le modifier avant que {domain} puisse être en ligne.",
  record_proxied:
    "{name} est derrière un proxy. Désactivez le proxy pour cet enregistrement (« DNS only », le nuage gris).",
  behind_cdn:
    "{name} est derrière {cdn}, c’est très bien : réglez-y sa cible sur l’enregistrement affiché, avec le mode de chiffrement « Full (strict) ».",
  aaaa_leftover:
    "Supprimez l’enregistrement AAAA {observed} de {name} : une partie de vos visiteurs irait là-bas.",
  https_leftover:
    "Supprimez l’enregistrement HTTPS de {name} : certains navigateurs iraient ailleurs.",
  slow_to_change:
    "Il peut falloir jusqu’à {hours} heures avant que tous les visiteurs voient le changement.",
  apex_needs_alias:
    "{name} a besoin d’un enregistrement de type ALIAS ou ANAME, ou d’adresses fixes : un CNAME n’y est pas possible.",
  apex_by_address:
    "{name} mène ici par une adresse. Si l’adresse change un jour, vous serez prévenu.",
  wildcard_answers:
    "Un enregistrement pour tous les noms (*) répond actuellement pour {name}. Ajoutez tous les enregistrements ensemble.",
  check_incomplete:
    "Certains serveurs de noms n’ont pas répondu à temps. Vérifiez de nouveau dans un instant.",
};
