import type { MailMessages } from "./en.ts";

export const mailFr: MailMessages = {
  mail_dkim_value: "Valeur DKIM (TXT)",
  mail_dkim_value_hint:
    "Elle commence par v=DKIM1 et figure dans la console de votre fournisseur de messagerie.",
  mail_dkim_selector: "Sélecteur DKIM",
  mail_dkim_selector_hint: "Le nom que vous avez choisi pour la clé, par exemple {example}.",
  mail_mx_host: "Hôte MX",
  mail_mx_host_hint:
    "Affiché dans le centre d’administration Microsoft 365, sous Paramètres, Domaines.",
  mail_dkim_target1: "Cible de selector1",
  mail_dkim_target2: "Cible de selector2",
  mail_dkim_target_hint:
    "Affichée dans le portail Microsoft Defender, dans les paramètres d’authentification des e-mails.",
  mail_data_centre: "Région de votre compte",
  mail_data_centre_hint: "Comme dans l’adresse de votre webmail : mail.zoho.eu correspond à eu.",
  mail_show: "Voir les enregistrements",
  mail_preview_title: "Ces enregistrements de messagerie seront ajoutés",
  mail_preview_lede: "Rien n’a encore été modifié.",
  mail_preview_apply: "Les ajouter pour moi",
  mail_preview_written: "Sera ajouté pour vous",
  mail_later: "Vous pouvez laisser un champ vide si vous n’avez pas encore la valeur.",
  mail_wrong: "Cela n’a pas la forme attendue. Copiez de nouveau la valeur entière.",
  mail_spf_replace: "Remplacer l’enregistrement SPF",
  mail_spf_replace_lede:
    "Un domaine n’a qu’un seul enregistrement SPF. Modifiez celui qui existe, n’en ajoutez pas un second.",
  mail_spf_now: "Actuellement",
  mail_spf_then: "À remplacer par",
  mail_spf_add: "Ajouter l’enregistrement SPF",
  mail_spf_keep: "L’enregistrement SPF est correct tel quel.",
  mail_spf_decide: "L’enregistrement SPF ne peut pas être modifié sans risque d’ici",
  mail_spf_decide_lede:
    "Demandez à votre fournisseur de messagerie à quoi il doit ressembler. Il ne doit jamais y avoir deux enregistrements SPF à la fois.",
  mail_problem_access:
    "{provider} n’accepte plus l’accès que vous avez donné. Ajoutez les enregistrements à la main.",
  sending_title: "Un service qui envoie seulement du courrier",
  sending_lede:
    "Pour les lettres d’information et les messages de votre boutique. Vos boîtes restent où elles sont.",
  sending_hint: "Affiché dans la console de {provider} pour ce domaine.",
  sending_target: "Cible DKIM {n}",
  sending_return_path: "Return-Path (nom avant le domaine)",
  sending_account_host: "Cible du premier enregistrement",
  sending_code: "Code Brevo",
  sending_region: "Région",
  sending_waiting:
    "{provider} ne trouve pas encore tous les enregistrements. Nous continuons à vérifier.",
  sending_ready:
    "Tous les enregistrements sont là. {provider} acceptera {domain} à sa prochaine vérification.",
  sending_accepted: "{provider} envoie du courrier depuis {domain}.",
  sending_broken: "Un enregistrement dont {provider} a besoin a disparu ou a changé.",
};
