import type { SetupMessages } from "./en.ts";

export const setupFr: SetupMessages = {
  your_provider: "votre fournisseur DNS",
  copied_what: "Copié : {what}",
  fix_title: "Une chose à corriger",
  fix_delay: "Il y a un retard",
  fix_lede: "{domain} continue dès que c’est fait.",
  fix_check: "Vérifier à nouveau",
  fix_remove: "Supprimez d’abord ceci",
  fix_add: "Ceci doit s’y trouver",
  fix_leave: "Vous pouvez fermer cette fenêtre et revenir quand c’est fait.",
  check_running: "Interrogation des serveurs de noms…",
  check_saw: "Vérifié à {time} : {found} enregistrements trouvés sur {all}.",
  check_saw_one: "Vérifié à {time} : l’enregistrement est là.",
  check_saw_none: "Vérifié à {time} : l’enregistrement n’est pas encore là.",
  check_done: "Vérifié à {time}.",
  check_still: "Vérifié à {time} : c’est toujours le cas.",
  check_next: "La prochaine vérification a lieu à {time} au plus tard.",
  share_subject: "Enregistrements DNS pour {domain}",
  share_text:
    "Merci d’ajouter les enregistrements DNS de cette page, afin que {domain} puisse être utilisé avec {brand}. La page montre ce qui est déjà en place.",
  share_link: "Lien",
  share_mail: "Envoyer par e-mail",
  share_native: "Partager…",
  share_ready: "Le lien est prêt",
  manual_delete_first: "Supprimez d’abord ceux-ci",
  conflict_other_records: "Il y a d’autres enregistrements à {name}.",
  conflict_delegated:
    "{name} est confié à d’autres serveurs de noms ; un enregistrement ici n’aurait aucun effet.",
  conflict_whole_zone:
    "{provider} remplace toute la zone à chaque modification. Les enregistrements qui n’y sont pas listés sont perdus.",
  conflict_managed: "{provider} a un enregistrement à {name} qui ne peut pas être modifié d’ici.",
  conflict_not_writable: "{provider} ne peut pas contenir cet enregistrement.",
  conflict_mail_warning:
    "L’enregistrement MX reçoit les e-mails de {name}. Sans lui, plus aucun e-mail n’y arrive.",
  conflict_mail_consent:
    "Personne ne reçoit d’e-mails à {name} ; son enregistrement MX peut disparaître",
  plan_blocked: "Ceci ne peut pas être modifié d’ici",
  plan_blocked_lede:
    "Rien n’a été modifié. Changez-le chez {provider} et revoyez l’aperçu, ou ajoutez les enregistrements vous-même.",
  refused_auth:
    "{provider} n’accepte pas votre saisie : elle est mal tapée, a expiré, ou il manque une autorisation.",
  refused_not_found: "Cet accès ne voit pas {zone} chez {provider}. Est-ce le bon compte ?",
  refused_rate_limited: "{provider} demande d’attendre. Réessayez dans une minute.",
  refused_unavailable: "{provider} ne répond pas pour le moment. Réessayez sous peu.",
  refused_conflict: "{provider} refuse la modification, car un autre enregistrement fait obstacle.",
  refused_unsupported: "{provider} n’accepte pas un tel enregistrement.",
  refused_invalid: "Votre saisie est incomplète ou n’a pas la bonne forme.",
  refused_other: "Les enregistrements n’ont pas pu être écrits.",
  refused_nothing: "Rien n’a été modifié.",
  trouble_caa_forbidden: "Un enregistrement CAA interdit le certificat de {domain}",
  trouble_caa_forbidden_fix:
    "Votre domaine indique qui peut émettre des certificats pour lui, et notre autorité n’en fait pas partie. Ajoutez un enregistrement CAA de plus chez {provider} ; les autres peuvent rester.",
  trouble_certificate_failed: "Le certificat de {domain} n’a pas pu être obtenu",
  trouble_certificate_failed_fix:
    "Vous n’avez rien à faire : une nouvelle tentative suit. Si cela dure plus d’une heure, contactez l’assistance.",
  trouble_check_failed: "Nous ne pouvons pas vérifier {domain} pour le moment",
  trouble_check_failed_fix: "Vérifiez à nouveau ici. Si cela n’aide pas, contactez l’assistance.",
  trouble_dnssec_bogus: "Le DNSSEC de {zone} est cassé",
  trouble_dnssec_bogus_fix:
    "Là où vous avez acheté {zone}, désactivez DNSSEC (supprimez l’enregistrement DS) ou configurez-le à nouveau. D’ici là, beaucoup de visiteurs n’y accèdent pas.",
  trouble_hostname_conflict: "{domain} est connecté avec un autre compte",
  trouble_hostname_conflict_fix:
    "Les deux comptes l’ont prouvé, et dans ce cas l’autre le garde. Nous regardons quels enregistrements sont là.",
  trouble_not_registered: "{zone} n’est pas enregistré, ou a expiré",
  trouble_not_registered_fix:
    "Enregistrez ou renouvelez {zone} là où vous achetez vos domaines, ou vérifiez l’orthographe. Après un renouvellement, cela peut prendre quelques heures.",
  trouble_provider_auth: "{provider} ne nous a pas laissé écrire les enregistrements",
  trouble_provider_auth_fix: "Ajoutez les enregistrements vous-même, comme indiqué ici.",
  trouble_provider_not_delegated:
    "Le DNS de {zone} est géré ailleurs que là où nous pouvons écrire",
  trouble_provider_not_delegated_fix: "Ajoutez les enregistrements vous-même, comme indiqué ici.",
  trouble_provider_unsupported: "{provider} n’accepte pas ces enregistrements automatiquement",
  trouble_provider_unsupported_fix: "Ajoutez les enregistrements vous-même, comme indiqué ici.",
  cdn_fine: "Votre domaine est derrière {cdn}, c’est très bien",
  cdn_set:
    "Chez {cdn}, réglez la cible de {domain} sur l’enregistrement affiché ici. Le proxy peut rester activé ; réglez le mode de chiffrement sur « Full (strict) ».",
  cdn_keep: "Il n’y a rien à changer. Chez {cdn}, gardez le mode de chiffrement « Full (strict) ».",
  trouble_proxied: "{domain} est derrière un proxy",
  trouble_proxied_fix:
    "Chez {provider}, modifiez l’enregistrement de {domain} et désactivez le proxy : « DNS only », le nuage gris. Nous ne voyons pas l’enregistrement derrière.",
  trouble_quota_exceeded: "{domain} attend le responsable du service",
  trouble_quota_exceeded_fix:
    "Vous n’avez rien à faire : la suite se fera toute seule. Si cela persiste, contactez l’assistance.",
  trouble_record_conflict: "D’autres enregistrements font obstacle à {domain}",
  trouble_record_conflict_fix:
    "Supprimez-les ou déplacez-les chez {provider}, si rien n’en a besoin. S’ils sont nécessaires, connectez un autre nom.",
  trouble_record_mismatch: "{domain} mène ailleurs",
  trouble_record_mismatch_fix:
    "Il mène actuellement à {observed}. Chez {provider}, remplacez cela par l’enregistrement indiqué ici.",
  trouble_txt_mismatch: "La preuve a une autre valeur",
  trouble_txt_mismatch_fix:
    "Chez {provider}, saisissez la valeur de l’enregistrement TXT exactement comme indiqué ici.",
  analysis_guided: "Pas à pas",
  way_minute: "Environ une minute",
  way_manual: "Pas à pas chez {provider}",
  way_manual_unknown: "Pas à pas",
  way_manual_lede: "Nous vous montrons quoi saisir et où. Cela prend environ cinq minutes.",
  way_api: "Je gère le DNS par API",
  way_api_lede:
    "Pour les développeurs : avec une clé d’accès de {provider}. Elle n’est jamais conservée, et nous demandons avant de la réutiliser.",
  access_again: "Réutiliser l’accès à {provider} que vous avez saisi auparavant",
  access_again_mail:
    "Sans cela, nous vous montrons les enregistrements et vous les ajoutez vous-même.",
  access_again_switch: "Sans cela, vous le saisissez de nouveau.",
  guide_open: "Ouvrir {provider}",
  guide_go: "Allez à {path}.",
  guide_add:
    "Appuyez sur « {label} » pour chaque enregistrement ci-dessous et choisissez son type.",
  guide_add_one: "Appuyez sur « {label} » et choisissez le type {type}.",
  guide_add_section:
    "Appuyez sur « {label} » pour chaque enregistrement ci-dessous, dans la section de son type.",
  guide_add_section_one: "Appuyez sur « {label} » dans la section du type {type}.",
  guide_add_plain: "Ajoutez chaque enregistrement ci-dessous avec son type.",
  guide_add_plain_one: "Ajoutez un enregistrement de type {type}.",
  guide_fill:
    "Copiez « {host} » et « {value} » comme indiqué ici ; {provider} ajoute lui-même {zone} au nom.",
  guide_fill_full:
    "Copiez « {host} » et « {value} » comme indiqué ici ; le nom est saisi en entier.",
  guide_cloud:
    "Passez le nuage orange au gris (« DNS only ») pour ces enregistrements, sinon nous ne les voyons pas.",
  guide_quotes: "Mettez la valeur d’un enregistrement TXT entre guillemets droits.",
  guide_addresses_apart: "Les enregistrements A et AAAA ont leur propre section.",
  guide_no_apex_alias:
    "{provider} n’accepte pas d’enregistrement ALIAS ou CNAME pour {zone}. Utilisez plutôt un nom comme {www}.",
  guide_no_wildcard: "{provider} n’accepte pas de nom avec un astérisque (*).",
  guide_save: "Appuyez sur « {label} » pour enregistrer.",
  token_open: "Ouvrir {provider}",
  token_which: "De quoi disposez-vous ?",
  token_more: "Plus d’options",
  step_open: "Allez à « {label} ».",
  step_press: "Appuyez sur « {label} ».",
  step_choose: "Choisissez « {label} ».",
  step_permit: "Donnez-lui ces autorisations : {label}.",
  step_limit: "Limitez-le à {zone} (« {label} »).",
  step_addresses: "Saisissez nos adresses sous « {label} » : {addresses}.",
  step_addresses_unknown: "Demandez à {brand} les adresses à saisir sous « {label} ».",
  step_copy: "Copiez ce qui s’affiche et collez-le ci-dessous.",
  error_not_set_up: "Cette page n’est pas encore configurée",
  error_not_set_up_lede:
    "{brand} doit terminer sa configuration avant qu’un domaine puisse être connecté ici. Veuillez les contacter.",
  oauth_sign_in: "Se connecter chez {provider}",
  oauth_sign_in_retained_lede:
    "Connectez-vous chez {provider} dans une petite fenêtre et autorisez la modification. L’autorisation est conservée pour pouvoir réparer plus tard les enregistrements de ce domaine ; elle prend fin quand vous le déconnectez.",
  oauth_sign_in_lede:
    "Connectez-vous chez {provider} dans une petite fenêtre et autorisez la modification. L’autorisation ne sert qu’à cette configuration.",
};
