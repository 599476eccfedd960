import { type FindingTexts, text } from "./language.ts";

const notYours = "Vous n’avez rien à faire. Si cela persiste, contactez le support.";
const byItself = "Il n’y a rien à faire : nous vérifions de nouveau nous-mêmes.";
const addBelow = "Chez {provider}, ajoutez l’enregistrement affiché ici, exactement tel quel.";
const onItsWay = text(
  "Les enregistrements de {domain} sont en cours d’ajout",
  "Il n’y a rien à faire : cela prend en général quelques minutes.",
);
const dnssecElsewhere = {
  operator: text("DNSSEC est cassé pour un nom vers lequel {domain} mène", notYours),
  wait: text("DNSSEC est cassé au-dessus de {zone}", byItself),
};
const mayExpire = "Le certificat de {domain} risque de ne pas être renouvelé à temps";

export const fr: FindingTexts = {
  provider: "votre fournisseur DNS",
  texts: {
    registration_on_hold: text(
      "{zone} est bloqué, ou son enregistrement a expiré",
      "Demandez à la société où vous avez enregistré {zone} ce qu’il lui manque, et renouvelez-le s’il a expiré. D’ici là, les visiteurs ne peuvent pas l’atteindre. Statut : {status}.",
    ),
    not_registered: text(
      "{zone} n’est pas enregistré, ou a expiré",
      "Enregistrez ou renouvelez {zone} là où vous achetez vos domaines, ou vérifiez l’orthographe. Après un renouvellement, cela peut prendre quelques heures.",
    ),
    dnssec_ds_stale: text(
      "Le DNSSEC de {zone} date d’un ancien fournisseur DNS",
      "Là où vous avez acheté {zone}, désactivez DNSSEC (supprimez l’enregistrement DS). D’ici là, beaucoup de visiteurs ne peuvent pas y accéder.",
      dnssecElsewhere,
    ),
    dnssec_broken: text(
      "Le DNSSEC de {zone} est cassé",
      "Là où vous avez acheté {zone}, désactivez DNSSEC (supprimez l’enregistrement DS), ou reconfigurez-le avec votre fournisseur DNS. D’ici là, beaucoup de visiteurs ne peuvent pas y accéder.",
      dnssecElsewhere,
    ),
    ns_unreachable: text(
      "Des serveurs de noms de {zone} ne répondent pas",
      "Là où vous avez acheté {zone}, vérifiez la liste des serveurs de noms. Si elle est juste, demandez à votre fournisseur DNS s’il y a une panne.",
    ),
    ns_servfail: text(
      "Des serveurs de noms de {zone} répondent par une erreur",
      "Demandez à votre fournisseur DNS pourquoi les serveurs de noms de {zone} échouent. Souvent, le domaine n’y a jamais été configuré.",
    ),
    ns_lame: text(
      "Des serveurs de noms de {zone} ne connaissent pas ce domaine",
      "Là où vous avez acheté {zone}, indiquez exactement les serveurs de noms que donne votre fournisseur DNS.",
    ),
    ns_disagree: text(
      "Les serveurs de noms de {zone} ne sont pas d’accord entre eux",
      "Là où vous avez acheté {zone}, indiquez exactement les serveurs de noms que donne votre fournisseur DNS. D’ici là, une partie de vos visiteurs peut ne pas voir un changement.",
    ),
    ns_mixed_operators: text(
      "Le DNS de {zone} est réparti entre plusieurs fournisseurs",
      "Ajoutez les enregistrements chez chacun d’eux, ou n’utilisez que les serveurs de noms d’un seul.",
    ),
    dns_moved: text(
      "Le DNS de {zone} est maintenant chez {provider}",
      "Ajoutez les enregistrements chez {provider}. Les changements chez l’ancien fournisseur n’ont plus d’effet.",
    ),
    zone_delegated: text(
      "{zone} a ses propres réglages DNS",
      "Ajoutez les enregistrements dans les réglages de {zone}, pas dans ceux du domaine au-dessus.",
    ),
    hostname_conflict: text(
      "{domain} est déjà connecté",
      "S’il est à vous, prouvez-le : ajoutez l’enregistrement affiché ici. L’autre compte devra alors le prouver aussi, sinon il le perdra.",
      {
        tenant: text(
          "{domain} reste pour l’instant à un autre compte",
          "Ce compte l’a prouvé de nouveau. Votre preuve comptera à nouveau à partir du {time} : laissez votre enregistrement en place jusque-là.",
        ),
        wait: text(
          "Vous avez prouvé que {domain} est à vous",
          "Il vous revient le {time}, à moins que l’autre compte ne le prouve aussi. Laissez l’enregistrement en place jusque-là.",
        ),
      },
    ),
    hostname_proven_by_both: text(
      "Deux comptes ont prouvé {domain}, et l’autre le garde",
      "Cela reste ainsi tant que les deux enregistrements sont là. S’il doit être à vous : chez {provider}, supprimez l’enregistrement {type} {name} dont la valeur est {observed}, et laissez l’autre en place. Si vous le faites maintenant, {domain} vous revient le {time}. S’il doit rester à l’autre compte, supprimez plutôt l’enregistrement dont la valeur est {expected}.",
      {
        wait: text(
          "Quelqu’un d’autre a aussi prouvé {domain}, et il reste à vous",
          "Votre enregistrement est là : cela décide en quelques minutes, avant le {time}. Gardez jusque-là l’enregistrement dont la valeur est {expected}. Chez {provider}, supprimez l’enregistrement {type} {name} dont la valeur est {observed}, sauf si {domain} doit passer à quelqu’un d’autre.",
        ),
      },
    ),
    hostname_contested: text(
      "Quelqu’un d’autre a prouvé que {domain} lui appartient",
      "Ajoutez l’enregistrement affiché ici avant le {time} pour le garder.",
      { wait: text("Quelqu’un d’autre veut {domain}, et votre enregistrement est là", byItself) },
    ),
    ownership_unanswered: text(
      "Trop peu de serveurs de noms de {zone} répondent",
      "Nous redemandons nous-mêmes. Si cela dure une heure, demandez à votre fournisseur DNS s’il y a une panne.",
    ),
    ownership_cname: text(
      "Un autre enregistrement se trouve à la place de la preuve",
      "Chez {provider}, supprimez l’enregistrement CNAME {name}, puis ajoutez l’enregistrement affiché ici.",
    ),
    ownership_wildcard: text(
      "La preuve est dans un enregistrement pour tous les noms (*)",
      "Chez {provider}, supprimez cet enregistrement et ajoutez celui affiché ici, avec son nom exact.",
    ),
    ownership_partial: text("La preuve est en route", byItself),
    ownership_altered: text(
      "La valeur de la preuve a été modifiée en chemin",
      "Chez {provider}, saisissez de nouveau la valeur exactement comme ici, sans guillemets ni espaces.",
    ),
    ownership_doubled_name: text(
      "Le nom de la preuve contient deux fois {zone}",
      "{provider} ajoute {zone} automatiquement. Modifiez le nom pour qu’il soit comme affiché ici.",
    ),
    ownership_wrong_name: text(
      "La preuve est au mauvais nom",
      "La valeur est juste, le nom ne l’est pas : elle se trouve à {observed}. Modifiez le nom pour qu’il soit comme affiché ici.",
    ),
    ownership_other_token: text(
      "La preuve vient d’une configuration précédente",
      "Chez {provider}, remplacez sa valeur par celle affichée ici.",
    ),
    ownership_mismatch: text("La preuve a une autre valeur", addBelow),
    ownership_missing: text("La preuve n’est pas encore là", addBelow, { wait: onItsWay }),
    wrong_dns_provider: text(
      "Pour {zone}, seuls les enregistrements chez {provider} comptent",
      "Si vous les avez déjà ajoutés, vérifiez où : la boutique où vous avez acheté {zone} affiche peut-être des réglages DNS sans effet.",
    ),
    ownership_seen: text("La preuve est là", byItself, {
      tenant: text("La preuve est là", "Recommencez pour continuer."),
    }),
    domain_connect_cancelled: text(
      "Rien n’a été confirmé chez {provider}",
      "Retournez chez {provider} et confirmez, avec le compte qui détient {zone}, ou ajoutez les enregistrements vous-même.",
    ),
    domain_connect_refused: text(
      "{provider} n’a pas créé les enregistrements",
      "Réessayez un peu plus tard, avec le compte qui détient {zone}, ou ajoutez les enregistrements vous-même.",
    ),
    provider_auth: text(
      "{provider} refuse notre accès",
      "Ajoutez les enregistrements vous-même, comme affiché ici. L’accès doit être renouvelé par le site auquel vous vous connectez.",
    ),
    credential_failing: text(
      "{provider} refuse notre accès",
      "{domain} fonctionne tel quel. L’accès doit être renouvelé par le site auquel vous vous connectez.",
    ),
    provider_unsupported: text(
      "Nous ne pouvons pas créer les enregistrements chez {provider}",
      "Ajoutez les enregistrements vous-même, comme affiché ici.",
    ),
    provider_not_delegated: text(
      "Le DNS de {zone} est géré ailleurs que là où nous pouvons écrire",
      "Ajoutez les enregistrements chez {provider}, comme affiché ici.",
    ),
    provider_busy: text(
      "{provider} n’accepte pas de changements en ce moment",
      "Nous réessayons nous-mêmes. Si vous êtes pressé, ajoutez les enregistrements vous-même.",
    ),
    provider_write_failed: text(
      "Les enregistrements n’ont pas pu être créés chez {provider}",
      "Réessayez, ou ajoutez les enregistrements vous-même.",
    ),
    record_loop: text(
      "{name} tourne en rond",
      "Chez {provider}, remplacez l’enregistrement CNAME {name} par ce qui est affiché ici.",
    ),
    record_proxied: text(
      "{name} est derrière un proxy",
      "Chez {provider}, modifiez l’enregistrement {name} et désactivez le proxy (« DNS only », le nuage gris). Nous ne voyons pas l’enregistrement derrière.",
    ),
    cdn_not_forwarding: text(
      "{cdn} n’amène pas encore ici les visiteurs de {name}",
      "Chez {cdn}, réglez la cible de {name} sur ce qui est affiché ici. Le proxy peut rester activé. Si la cible est correcte, vérifiez qu’aucune règle n’y redirige ou ne bloque les requêtes.",
    ),
    cdn_tls_flexible: text(
      "{cdn} amène ici les visiteurs de {domain} sans chiffrement",
      "Chez {cdn}, réglez le mode de chiffrement sur « Full (strict) ». D’ici là, les visiteurs tournent en rond.",
    ),
    cdn_hides_challenge: text(
      "{cdn} nous empêche d’obtenir le certificat de {domain}",
      "Chez {cdn}, laissez passer les requêtes vers /.well-known/acme-challenge/, sans redirection ni cache. Ou ajoutez l’enregistrement affiché ici, s’il y en a un.",
    ),
    cdn_caches_probe: text(
      "{cdn} met en cache des pages de {domain} qu’il ne doit pas garder",
      "Chez {cdn}, désactivez la règle qui met tout en cache, ou faites-lui suivre les réglages des pages.",
    ),
    behind_cdn: text(
      "{domain} est derrière {cdn}, c’est très bien",
      "Il n’y a rien à faire. Chez {cdn}, gardez le mode de chiffrement « Full (strict) ».",
    ),
    proxy_to_proxy: text(
      "{name} est derrière un proxy qui ne nous laisse pas passer",
      "Désactivez le proxy pour {name} (« DNS only », le nuage gris), ou contactez le support.",
    ),
    record_flattened: text(
      "{name} mène ici par une adresse au lieu d’un nom",
      "Chez {provider}, remplacez les enregistrements d’adresse par ce qui est affiché ici.",
    ),
    aaaa_leftover: text(
      "Une ancienne adresse se trouve encore à {name}",
      "Chez {provider}, supprimez l’enregistrement AAAA {observed} de {name} : une partie de vos visiteurs y va à la place.",
    ),
    a_leftover: text(
      "Une autre adresse se trouve encore à {name}",
      "Chez {provider}, supprimez {observed} à {name} : une partie de vos visiteurs y va à la place.",
    ),
    https_leftover: text(
      "Un ancien enregistrement HTTPS se trouve encore à {name}",
      "Chez {provider}, supprimez l’enregistrement de type HTTPS à {name} : certains navigateurs le suivent ailleurs.",
    ),
    policy_duplicate: text(
      "Il y aurait deux règles de messagerie à {name}",
      "Chez {provider}, ajoutez la valeur voulue à l’enregistrement existant au lieu d’en créer un second.",
    ),
    record_conflict: text(
      "D’autres enregistrements gênent à {name}",
      "Chez {provider}, supprimez ou déplacez d’abord ce qui est listé ici, si rien n’en a besoin. Les enregistrements de type MX reçoivent votre courrier : connectez un autre nom si vous voulez les garder.",
    ),
    record_target_doubled: text(
      "La cible de {name} se termine par {zone}",
      "{provider} a pris la cible pour un nom court. Saisissez-la avec un point à la fin.",
    ),
    record_doubled_name: text(
      "Le nom de l’enregistrement contient deux fois {zone}",
      "{provider} ajoute {zone} automatiquement. Modifiez le nom pour qu’il soit comme affiché ici.",
    ),
    private_address: text(
      "{name} mène à une adresse que seul votre réseau connaît",
      "Chez {provider}, remplacez ce qui se trouve à {name} par ce qui est affiché ici.",
    ),
    apex_needs_alias: text(
      "{name} ne peut pas suivre un autre nom chez {provider}",
      "Cherchez-y un type d’enregistrement ALIAS ou ANAME, ou connectez plutôt www.{name} et redirigez {name} vers lui.",
      {
        operator: text(
          "{name} ne peut pas suivre un autre nom chez {provider}",
          "Connectez plutôt www.{name}, ou contactez le support.",
        ),
      },
    ),
    record_of_another: text(
      "{name} a l’enregistrement d’une autre connexion",
      "Chez {provider}, remplacez ce qui se trouve à {name} ({observed}) par ce qui est affiché ici : chaque connexion a sa propre valeur.",
    ),
    record_mismatch: text(
      "{name} mène ailleurs",
      "Chez {provider}, remplacez ce qui se trouve à {name} ({observed}) par ce qui est affiché ici.",
    ),
    record_missing: text("L’enregistrement {type} de {name} n’est pas encore là", addBelow, {
      wait: onItsWay,
    }),
    servers_disagree: text(
      "Le changement est en route",
      "Certains serveurs de noms l’ont déjà, les autres suivent en général en quelques minutes. Nous vérifions de nouveau nous-mêmes.",
    ),
    records_unanswered: text(
      "Les serveurs de noms de {zone} ne répondent pas en ce moment",
      "Nous redemandons nous-mêmes. Si cela dure une heure, demandez à votre fournisseur DNS s’il y a une panne.",
    ),
    resolvers_failing: text(
      "Une partie d’Internet ne trouve pas {zone} en ce moment",
      "Souvent, cela passe. Si cela persiste, demandez à votre fournisseur DNS.",
    ),
    wildcard_answers: text(
      "Un enregistrement pour tous les noms (*) répond pour {name}",
      "Chez {provider}, ajoutez ensemble tous les enregistrements affichés ici : l’autre ne répondra alors plus pour {name}.",
    ),
    caa_forbidden: text(
      "Un enregistrement CAA interdit le certificat de {domain}",
      "Chez {provider}, ajoutez l’enregistrement affiché ici. Les autres enregistrements CAA peuvent rester.",
      { operator: text("Le certificat de {domain} est interdit", notYours) },
    ),
    caa_unanswered: text(
      "Les serveurs de noms de {zone} ne répondent pas à toutes les questions",
      "Souvent, cela passe. Si cela persiste, demandez à votre fournisseur DNS pourquoi ses serveurs de noms ne répondent pas aux questions sur les enregistrements CAA.",
    ),
    certificate_revoked: text("Le certificat de {domain} doit être renouvelé", notYours),
    certificate_expired: text("Le certificat de {domain} a expiré", notYours),
    certificate_at_risk: text(
      mayExpire,
      "Corrigez ce qui est affiché ici ; le renouvellement reprendra de lui-même.",
      {
        operator: text(mayExpire, notYours),
        tenant: text("Le certificat de {domain} se termine bientôt", notYours),
      },
    ),
    ca_rate_limited: text(
      "Le certificat doit attendre son tour",
      "Il n’y a rien à faire : il est redemandé dès que c’est permis. Recommencer ne le rend pas plus rapide.",
    ),
    ca_unavailable: text(
      "Aucun certificat n’est délivré en ce moment",
      "Il n’y a rien à faire : il est redemandé automatiquement.",
    ),
    certificate_cached: text(
      "Les anciens enregistrements peuvent rester visibles jusqu’au {time}",
      "Il n’y a rien à faire : le certificat arrive au plus tard le {time}.",
    ),
    certificate_failed: text(
      "Le certificat de {domain} n’a pas pu être obtenu",
      "Nous réessayons nous-mêmes. Vous n’avez rien à faire ; si cela dure une heure, contactez le support.",
    ),
    certificate_foreign: text(
      "Quelqu’un d’autre a obtenu un certificat pour {domain}",
      "Si vous utilisez aussi {domain} avec un CDN ou un autre hébergeur, ou si c’était le cas récemment, il n’y a rien à faire. Sinon, changez le mot de passe là où votre DNS est géré, vérifiez qui d’autre peut s’y connecter et demandez à {issuer} de révoquer le certificat.",
    ),
    origin_unreachable: text("Le site derrière {domain} ne répond pas", notYours),
    origin_missing: text("Le site derrière {domain} n’est pas encore configuré", notYours),
    registration_expiring: text(
      "L’enregistrement de {zone} est valable jusqu’au {date}",
      "Renouvelez {zone} auprès de la société où vous l’avez enregistré. S’il se renouvelle automatiquement, il n’y a rien à faire.",
    ),
    quota_exceeded: text(
      "{domain} attend le responsable du service",
      "Vous n’avez rien à faire : la suite se fera toute seule. Si cela persiste, contactez le support.",
    ),
    check_failed: text(
      "Nous ne pouvons pas vérifier {domain} en ce moment",
      "Relancez la vérification ici. Si cela n’aide pas, contactez le support.",
    ),
    gave_up: text(
      "Nous avons cessé de vérifier {domain}",
      "Corrigez ce qui est listé ici, puis recommencez. Vos enregistrements restent valables.",
    ),
    archived_still_points_here: text(
      "{domain} est déconnecté, mais ses enregistrements mènent encore ici",
      "Chez {provider}, supprimez les enregistrements listés ici.",
    ),
    cutover_preparing: text(
      "{domain} reste où il est pendant la préparation du déménagement",
      "Laissez tels quels les enregistrements qui mènent les visiteurs à votre site actuel et n’ajoutez que ce qui est demandé ici. Quand tout sera prêt, vous verrez ce qu’il faut changer.",
    ),
    cutover_ready: text(
      "{domain} est prêt à basculer",
      "Basculez quand vous voulez : chez {provider}, remplacez les anciens enregistrements par les nouveaux. D’ici là, votre site actuel reste en ligne.",
    ),
    records_changed: text(
      "{domain} a besoin d’autres enregistrements qu’avant",
      "Chez {provider}, remplacez les anciens enregistrements par ceux affichés ici. Votre domaine fonctionne pendant ce temps.",
      { wait: onItsWay },
    ),
    records_cached: text(
      "Tout est correct ; une partie d’Internet garde encore les anciens enregistrements en mémoire",
      "Il n’y a rien à faire : le changement sera bientôt visible partout.",
    ),
    slow_to_change: text(
      "Certains visiteurs peuvent voir l’ancien site pendant un moment",
      "Les anciens enregistrements restent en mémoire jusqu’à {hours} heures après leur remplacement.",
    ),
    certificate_pending: text(
      "Le certificat de {domain} est en cours d’obtention",
      "Il n’y a rien à faire : cela prend en général moins d’une minute.",
    ),
    apex_by_address: text(
      "{domain} mène ici par une adresse",
      "Il n’y a rien à faire pour l’instant. Si l’adresse change un jour, vous serez prévenu.",
    ),
    www_not_connected: text(
      "{name} ne mène pas ici",
      "Les visiteurs tapent souvent l’une ou l’autre forme. Connectez aussi {name}.",
    ),
    email_mx_missing: text(
      "{zone} ne reçoit pas de courrier",
      "Chez {provider}, ajoutez les enregistrements MX affichés ici ou ceux que donne votre fournisseur de messagerie.",
      { wait: onItsWay },
    ),
    email_mx_elsewhere: text(
      "Le courrier de {zone} va chez un autre fournisseur",
      "Si vos boîtes aux lettres ont déménagé, remplacez tous les enregistrements MX ; avec les deux, une partie de votre courrier se perd.",
    ),
    email_spf_multiple: text(
      "{zone} a plusieurs enregistrements SPF, et les destinataires les ignorent tous",
      "Chez {provider}, gardez-en un avec les expéditeurs de tous, et supprimez les autres.",
    ),
    email_spf_missing: text(
      "L’enregistrement SPF de {zone} ne nomme pas votre fournisseur de messagerie",
      "Chez {provider}, mettez l’enregistrement SPF comme affiché ici.",
    ),
    email_spf_broken: text(
      "Les destinataires refusent l’enregistrement SPF de {zone}",
      "Chez {provider}, retirez-en les expéditeurs que vous n’utilisez plus.",
    ),
    email_dkim_missing: text(
      "Il manque à {zone} un enregistrement DKIM : on ne fait pas confiance à son courrier",
      addBelow,
      { wait: onItsWay },
    ),
    email_dmarc_missing: text(
      "{zone} n’a pas de règle DMARC valable",
      "Chez {provider}, veillez à ce qu’il y en ait exactement une.",
      { wait: onItsWay },
    ),
    check_incomplete: text(
      "Tout n’a pas pu être vérifié à temps",
      "Vérifiez de nouveau dans un instant.",
    ),
  },
};
