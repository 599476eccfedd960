import type { DomainMessages } from "./en.ts";

export const domainsFr: DomainMessages = {
  domains_title: "Vos domaines",
  domains_lede: "Les domaines qui mènent à {brand}, et ceux qui sont en chemin.",
  domains_add: "Ajouter un autre domaine",
  domains_show: "Vos domaines",
  domains_live: "En ligne",
  domains_progress: "En cours",
  domains_attention: "À corriger",
  domains_partner: "{domain} y mène aussi",
  domains_visit: "Visiter",
  domains_continue: "Continuer",
  domains_fix: "Corriger",
  domains_remove: "Déconnecter",
  remove_title: "Déconnecter {domain} ?",
  remove_lede:
    "Les visiteurs de {domain} n’arriveront plus chez {brand}, et le certificat ne sera plus renouvelé. Vous pourrez le reconnecter à tout moment.",
  remove_dns:
    "Vos enregistrements DNS restent tels quels. Supprimez-les vous-même si vous n’en avez plus besoin.",
  remove_keep: "Le garder",
  remove_confirm: "Déconnecter",
  remove_problem: "La déconnexion n’a pas abouti. Réessayez dans un instant.",
  domains_removed: "Déconnecté.",
  pair_title: "Connecter aussi {domain} ?",
  pair_lede:
    "Beaucoup de gens tapent www., beaucoup non. Les deux adresses mènent à vous, et l’une reste affichée.",
  pair_both: "Les deux, et les visiteurs restent sur {domain}",
  pair_single: "Seulement {domain}",
  pair_in_use: "{domain} affiche autre chose pour le moment. Avec les deux, cela est remplacé.",
  pair_next: "{done} est approuvé. Approuvez maintenant {domain} de la même façon.",
  pair_one_by_one:
    "Votre fournisseur approuve un nom à la fois : {domain} maintenant, {other} juste après.",
  pair_change_leads: "{domain} et {other} mèneront à {brand}",
  taken_title: "{domain} est déjà connecté",
  taken_lede:
    "Il appartient à un autre compte, peut-être à un ancien compte à vous. S’il est à vous, prouvez-le : ajoutez un enregistrement DNS, et l’autre compte devra le prouver aussi ou le perdra.",
  taken_drifted:
    "Un autre compte l’avait, mais il n’y mène plus. Prouvez avec un enregistrement DNS qu’il est à vous, et il vous revient.",
  taken_support: "Un doute ?",
  taken_contact: "Contacter {brand}",
};
