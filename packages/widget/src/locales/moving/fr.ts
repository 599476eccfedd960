import type { MovingMessages } from "./en.ts";

export const movingFr: MovingMessages = {
  moving_title: "{domain} affiche déjà un site",
  moving_lede: "Choisissez comment il passe chez {brand}.",
  moving_prepare: "Préparer d’abord, basculer ensuite : votre site reste en ligne",
  moving_prepare_lede:
    "Nous préparons et vérifions tout pendant que les visiteurs voient encore l’ancien site. Vous décidez du moment de la bascule.",
  moving_direct: "Basculer tout de suite",
  moving_direct_lede: "Les visiteurs peuvent voir une erreur jusqu’à ce que tout soit prêt.",
  moving_change: "{domain} ne mène à {brand} que lorsque vous le dites",
  moving_records_lede:
    "Ces enregistrements ne détournent aucun visiteur : votre site reste tel quel. Ajoutez-les chez {provider}.",
  moving_validation: "Nous permet d’obtenir le certificat à l’avance",
  prepare_title: "Votre site reste en ligne pendant que nous préparons",
  prepare_lede:
    "Les visiteurs de {domain} voient encore l’ancien site. Nous vous dirons quand tout est prêt.",
  ready_title: "Prêt à basculer",
  ready_lede:
    "Tout est préparé et vérifié. Les visiteurs de {domain} voient l’ancien site jusqu’à la bascule.",
  ready_switch: "Basculer maintenant",
  ready_by_hand: "Modifier les enregistrements moi-même",
  ready_later:
    "Vous pouvez fermer cette fenêtre et basculer un autre jour. Rien ne change d’ici là.",
  switch_records_lede:
    "Modifiez ces enregistrements chez {provider}, et les visiteurs arrivent chez {brand}.",
  switch_records: "Modifiez ces enregistrements",
  switching_title: "Bascule vers {brand}",
  switching_lede:
    "Les enregistrements changent. Certains visiteurs voient encore l’ancien site : laissez-le tourner.",
  old_server: "Laissez l’ancien serveur tourner jusqu’au {time}. Ensuite, il peut être arrêté.",
  check_ownership: "Le domaine est à vous",
  check_validation: "Nous pouvons obtenir son certificat",
  check_certificate: "Le certificat est là",
  check_edge: "Nos serveurs sont prêts",
  check_origin: "{brand} répond comme l’ancien site",
  check_caa_dnssec: "Le certificat pourra être renouvelé",
  check_mail: "Votre courrier n’est pas touché",
  check_mail_stops: "Des enregistrements de courrier s’y opposent",
  check_not_compared: "Non comparé à l’ancien site",
  not_compared_unreachable:
    "L’ancien site n’a pas pu être joint. Comparez-le vous-même au nouveau avant de basculer.",
  not_compared_no_address: "Le domaine n’a actuellement aucune adresse sur l’ancien site.",
  check_open: "pas encore",
  differs_title: "Le nouveau site répond autrement",
  differs_lede:
    "La page d’accueil de l’ancien site et celle de {brand} ne répondent pas de la même façon. Comparez-les avant de basculer.",
  differs_accept: "Basculer malgré tout",
  mail_blocks:
    "La bascule retirerait des enregistrements de courrier. Déplacez-les d’abord vers un autre nom, ou demandez à {brand}.",
  wildcard_title: "Tous les noms sous {domain}",
  wildcard_lede:
    "Tous les noms directement en dessous mènent à {brand}, comme un.{domain} et deux.{domain}. Un nom qui a son propre enregistrement reste où il est.",
  wildcard_offer: "Connecter plutôt tous les noms en dessous",
  wildcard_single: "Connecter seulement {domain}",
  wildcard_change: "Tous les noms sous {domain} mènent à {brand}",
  wildcard_certificate: "Un enregistrement CNAME nous permet d’obtenir un certificat pour tous",
};
