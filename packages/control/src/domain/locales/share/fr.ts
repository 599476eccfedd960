import type { ShareTexts } from "./en.ts";

export const fr: ShareTexts = {
  title: "Enregistrements DNS pour {domain}",
  heading: "Connecter {domain} à {brand}",
  why: "Vous avez reçu ce lien parce que vous gérez le DNS de {domain}. {brand} vous demande d’ajouter les enregistrements ci-dessous, pour que les visiteurs de {domain} y arrivent.",
  pair: "Les visiteurs de {other} sont redirigés vers {domain}.",
  why_safe:
    "Vous les ajoutez là où le DNS est géré. Personne n’a besoin de votre mot de passe pour cela, et rien ne peut être modifié depuis cette page.",
  prepare:
    "Préparer seulement : {domain} reste où il est. Laissez les enregistrements actuels tels quels et n’ajoutez que ceux ci-dessous.",
  status: "État",
  add: "Enregistrements à ajouter : {n} sur {all}",
  add_hint:
    "Le DNS est vérifié en continu. Chaque enregistrement est coché ici dès qu’il est trouvé.",
  fix: "Quelque chose est à corriger",
  fix_hint: "Vous trouverez ci-dessous ce qui a été constaté et ce qu’il faut faire.",
  replace: "{domain} fonctionne, mais a désormais besoin d’autres enregistrements",
  replace_hint:
    "Mettez les enregistrements ci-dessous à la place des anciens. Le domaine reste connecté pendant ce temps.",
  switch: "{domain} est prêt à basculer",
  switch_hint:
    "Remplacez les anciens enregistrements par ceux ci-dessous quand vous voulez. D’ici là, le site actuel reste en ligne.",
  placed: "Tous les enregistrements sont en place",
  placed_hint:
    "La prochaine vérification les prendra en compte, d’ici quelques minutes. Vous n’avez plus rien à faire.",
  securing: "Tous les enregistrements sont en place",
  securing_hint:
    "La connexion sécurisée de {domain} est en cours de mise en place. Vous n’avez plus rien à faire.",
  spreading: "Les enregistrements se propagent",
  spreading_hint:
    "Certains serveurs de noms les ont déjà. Les autres suivent en général en quelques minutes.",
  sender: "Votre part est faite",
  sender_hint: "C’est à {brand} d’agir maintenant. Vous n’avez plus rien à faire.",
  done: "{domain} est connecté",
  done_hint: "Tous les enregistrements sont corrects. Il n’y a plus rien à faire.",
  ended: "La configuration n’attend plus",
  ended_hint:
    "Corrigez les enregistrements comme indiqué ci-dessous, puis prévenez l’expéditeur : la configuration pourra reprendre.",
  unknown: "Le DNS n’a pas pu être vérifié à l’instant",
  unknown_hint:
    "Une nouvelle tentative aura lieu d’elle-même. Ce qu’il faut ajouter figure ci-dessous.",
  records: "Enregistrements",
  records_at:
    "Ajoutez ce qui suit dans les réglages DNS de {zone} chez {provider}, exactement comme c’est écrit ici.",
  records_anywhere:
    "Ajoutez ce qui suit là où le DNS de {zone} est géré, exactement comme c’est écrit ici.",
  records_names:
    "La plupart des interfaces DNS ajoutent {zone} au nom d’elles-mêmes : le nom court convient alors. Si la vôtre demande des noms entiers, prenez le nom complet.",
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
  guide_proxy_off:
    "Passez le nuage orange au gris (« DNS only ») pour ces enregistrements, sinon ils restent invisibles.",
  guide_quotes: "Mettez la valeur d’un enregistrement TXT entre guillemets droits.",
  guide_addresses_apart: "Les enregistrements A et AAAA ont leur propre section.",
  guide_no_apex_alias:
    "{provider} n’accepte pas d’enregistrement ALIAS ou CNAME pour {zone}. Utilisez plutôt un nom comme {www}.",
  guide_no_wildcard: "{provider} n’accepte pas de nom avec un astérisque (*).",
  guide_save: "Appuyez sur « {label} » pour enregistrer.",
  early: "Le prouver avant de basculer",
  early_hint:
    "Facultatif. {domain} est utilisé en ce moment : cet enregistrement prouve qu’il est à vous et ne change rien pour les visiteurs. Remplacez ensuite l’ancien enregistrement quand cela vous convient.",
  purpose_ownership: "Prouve que le domaine est à vous",
  purpose_traffic: "Conduit les visiteurs vers {brand}",
  purpose_validation:
    "Permet à {brand} de préparer le certificat ; ne mène aucun visiteur ailleurs",
  purpose_both: "Conduit les visiteurs vers {brand} et prouve que le domaine est à vous",
  purpose_moving: "Remplace l’ancien enregistrement",
  type: "Type",
  name: "Nom",
  full_name: "Nom complet",
  value: "Valeur",
  priority: "Priorité",
  ttl: "TTL",
  leave_empty: "laissez vide",
  found: "Trouvé",
  proven: "Prouvé",
  partly: "Sur certains serveurs",
  not_yet: "Pas encore là",
  expected: "Attendu",
  missing: "Pas encore trouvé",
  other: "Autre valeur",
  unchecked: "Vérification impossible",
  there_now: "On y trouve actuellement :",
  remove: "À supprimer ou à modifier d’abord :",
  findings: "Ce qui a été constaté",
  evidence: "Ce qui a été observé",
  actor_end_customer: "À faire de votre côté",
  actor_wait: "Il suffit d’attendre",
  checked: "Vérifié : {time}",
  valid: "Toute personne qui a l’adresse de cette page peut la lire jusqu’au {time}.",
  support: "Une question ? Contactez {brand}",
  download: "Télécharger le fichier de zone",
  print: "Imprimer",
  copy: "Copier",
  copied: "Copié",
  copy_what: "Copier : {what}",
  language: "Langue",
  expired: "Ce lien n’est plus valable",
  expired_hint:
    "Il a peut-être expiré, ou le domaine n’est plus en cours de connexion. Demandez-en un nouveau à l’expéditeur.",
  busy: "Trop de demandes",
  busy_hint: "Attendez une minute, puis rechargez cette page.",
  trouble: "Un problème est survenu",
  trouble_hint: "Le service ne répond pas pour le moment. Rechargez cette page dans une minute.",
};
