import type { NoteTexts } from "./en.ts";

export const fr: NoteTexts = {
  mx_host_needed:
    "Microsoft 365 a un serveur de messagerie propre à chaque domaine. Vous le trouvez dans le centre d’administration, sous « Paramètres », « Domaines » ; revenez une étape en arrière et saisissez-le comme hôte MX.",
  mx_host_older:
    "Pour un domaine ajouté chez Microsoft 365 avant juillet 2026, c’est probablement {host}. Comparez avec le centre d’administration.",
  mx_host_unknown:
    "Nous n’avons pas pu vérifier si le serveur de messagerie {host} existe. Comparez avec le centre d’administration Microsoft 365.",
  mx_host_missing:
    "Il n’existe pas de serveur de messagerie nommé {host}. Comparez avec le centre d’administration Microsoft 365.",
  mx_host_derived:
    "Le serveur de messagerie de votre domaine est probablement {host}. Le centre d’administration Microsoft 365 l’indique avec certitude.",
  mx_hidden:
    "Nous ne pouvons pas modifier les enregistrements MX de {domain} ; ils restent tels quels.",
  mx_older_set:
    "Vos enregistrements MX sont d’anciens enregistrements du même fournisseur. Ils fonctionnent tout aussi bien.",
  mx_other_own:
    "{domain} a d’autres enregistrements MX du même fournisseur ({hosts}). Ils restent tels quels : comparez-les avec ce qu’affiche votre fournisseur de messagerie.",
  mx_filtered:
    "Le courrier de {domain} passe par un filtre, ses enregistrements MX restent donc tels quels. Indiquez plutôt les nouvelles boîtes dans le filtre.",
  mx_null:
    "{domain} est déclaré comme ne recevant pas de courrier. Supprimez cet enregistrement MX quand vous ajoutez les nouveaux.",
  mx_elsewhere:
    "Le courrier de {domain} va actuellement chez {holder}, ses enregistrements MX restent donc tels quels. Quand vous déplacerez vos boîtes, remplacez-les tous en une fois ; avec les deux, vous perdriez du courrier.",
  mx_forwarded:
    "Le courrier de {domain} passe actuellement par un service de redirection, ses enregistrements MX restent donc tels quels. Quand vous déplacerez vos boîtes, remplacez-les tous en une fois ; avec les deux, vous perdriez du courrier.",
  mx_hosting:
    "Le courrier de {domain} va actuellement dans les boîtes de votre hébergeur, ses enregistrements MX restent donc tels quels. Quand vous déplacerez vos boîtes, remplacez-les tous en une fois ; avec les deux, vous perdriez du courrier.",
  mx_parked:
    "Les enregistrements MX de {domain} mènent à un service de parking. Ils restent tels quels ; remplacez-les tous en une fois quand vos boîtes seront prêtes.",
  mx_strict_transport:
    "{domain} indique quels serveurs de messagerie il autorise (MTA-STS). Ajoutez les nouveaux à cette liste avant d’ajouter les enregistrements MX.",
  mx_own_server:
    "Un serveur de messagerie à vous semble recevoir le courrier de {domain}. Ajoutez les enregistrements MX quand vous n’en aurez plus besoin.",
  mx_wildcard:
    "Un enregistrement MX pour tous les noms (*) reçoit le courrier des noms sous {domain}. Il reste tel quel.",
  mx_no_mail:
    "{domain} est déclaré comme n’envoyant pas de courrier. Si cela a changé, ajoutez les enregistrements MX à la main.",
  cname_no_mail:
    "{domain} est un alias (CNAME), et un tel nom ne peut pas recevoir de courrier. Configurez la messagerie pour un autre nom, par exemple sans www.",
  cname_no_text:
    "{name} est un alias (CNAME), on ne peut donc pas y ajouter d’enregistrement TXT. Envoyez depuis un nom à part, comme {example}.",
  name_taken:
    "Il y a déjà un autre enregistrement pour {name} ({types}). Il reste tel quel ; remplacez-le si vous n’en avez plus besoin.",
  name_occupied:
    "Il y a déjà quelque chose pour {name}. Cela reste tel quel ; remplacez-le si vous n’en avez plus besoin.",
  dkim_google:
    "Pour DKIM, générez une clé dans la console d’administration Google (« Applications », « Google Workspace », « Gmail », « Authentifier les e-mails »), puis revenez une étape en arrière et saisissez-la. Lancez-y l’authentification dès que l’enregistrement est trouvé.",
  dkim_microsoft:
    "Pour DKIM, le portail Microsoft Defender affiche deux cibles dans les paramètres d’authentification des e-mails. Revenez une étape en arrière et saisissez les deux.",
  dkim_zoho:
    "Pour DKIM, ajoutez un sélecteur dans la console d’administration de Zoho Mail (« Domains », « Email configuration », « DKIM »), puis revenez une étape en arrière et saisissez son nom et sa valeur.",
  dkim_proton:
    "Pour DKIM, Proton affiche trois cibles sous « Domain names », « DKIM ». Revenez une étape en arrière et saisissez l’une d’elles.",
  dkim_brevo:
    "Si Brevo vous montre une valeur DKIM au lieu de deux cibles, revenez une étape en arrière et saisissez cette valeur.",
  first_google: "Créez vos boîtes chez Google avant que le courrier n’y soit dirigé.",
  first_microsoft:
    "Vous pourrez activer DKIM chez Microsoft dès que les deux enregistrements DKIM sont trouvés.",
  first_zoho:
    "Choisissez la région de votre compte Zoho. Avec une autre, le courrier n’arrive pas.",
  first_fastmail:
    "Ajoutez d’abord votre domaine chez Fastmail. DKIM ne fonctionne qu’à partir de là.",
  first_proton:
    "Laissez en place l’enregistrement de validation de Proton : Proton le vérifie de nouveau plus tard.",
  first_icloud:
    "Ajoutez d’abord votre domaine dans les réglages d’iCloud (« Domaine de courrier personnalisé »).",
  first_mailgun:
    "Nous laissons de côté les enregistrements MX de Mailgun : ils ne servent qu’à recevoir, et votre courrier continue comme avant.",
  dmarc_reports:
    "Les rapports DMARC doivent aller vers un autre domaine. Celui-ci doit l’accepter, par un enregistrement TXT pour {name}.",
  dmarc_several:
    "Il y a {count} enregistrements DMARC pour {name}, aucun n’est donc pris en compte. N’en gardez qu’un.",
  dmarc_present:
    "{name} a déjà un enregistrement DMARC. Laissez-le tel quel et n’en ajoutez pas un second.",
  dmarc_occupied:
    "Il y a déjà autre chose pour {name}, peut-être d’un service DMARC. Cela reste tel quel.",
  dmarc_above:
    "L’enregistrement DMARC de {name} vaut aussi pour {domain}. Il n’en faut pas d’autre.",
  spf_once:
    "Un domaine n’a qu’un seul enregistrement SPF. Si vous en avez un, modifiez-le au lieu d’en ajouter un second.",
  spf_right: "L’enregistrement SPF est correct tel quel.",
  spf_add: "Ajoutez vous-même l’enregistrement SPF ; nous ne l’écrivons jamais.",
  spf_replace: "Remplacez vous-même l’enregistrement SPF ; nous ne l’écrivons jamais.",
  spf_term: "Ajoutez « {term} » à l’enregistrement SPF que vous gardez.",
  spf_unreadable:
    "Votre enregistrement SPF contient une erreur. Demandez à la personne qui l’a créé de la corriger.",
  spf_unreadable_at:
    "L’enregistrement SPF de {name} contient une erreur, si bien que le vôtre ne fonctionne pas.",
  spf_several:
    "Il y a {count} enregistrements SPF, aucun n’est donc pris en compte. Décidez quels expéditeurs il vous faut et ne gardez qu’un enregistrement.",
  spf_opposed:
    "Votre enregistrement SPF bloque cet expéditeur avec « {term} ». Voyez si cette partie peut être retirée.",
  spf_long:
    "Avec l’ajout, votre enregistrement SPF devient très long ({bytes} caractères sur {limit}). Retirez les expéditeurs que vous n’utilisez plus.",
  spf_no_mail:
    "Jusqu’ici, votre enregistrement SPF dit que ce domaine n’envoie jamais de courrier.",
  spf_allows_all:
    "Votre enregistrement SPF se termine par « +all » : n’importe qui peut envoyer au nom de votre domaine.",
  spf_term_dead:
    "« {term} » se trouve après « all » dans votre enregistrement SPF et n’y a aucun effet.",
  spf_terms_dead: "Ce qui suit « all » dans votre enregistrement SPF n’a aucun effet.",
  spf_ptr: "Votre enregistrement SPF utilise « ptr », que beaucoup de destinataires ignorent.",
  spf_circle: "« {term} » dans votre enregistrement SPF tourne en rond.",
  spf_include_empty:
    "« {term} » dans votre enregistrement SPF désigne un domaine sans enregistrement SPF.",
  spf_include_several:
    "« {term} » dans votre enregistrement SPF désigne un domaine qui a plusieurs enregistrements SPF.",
  spf_lookups: "L’enregistrement SPF demande {count} des {limit} recherches autorisées.",
  spf_lookups_least:
    "L’enregistrement SPF demande au moins {count} des {limit} recherches autorisées.",
  spf_lookups_over:
    "L’enregistrement SPF demande {count} recherches, alors que {limit} seulement sont autorisées : du courrier peut être refusé. Retirez les expéditeurs que vous n’utilisez plus.",
  spf_lookups_void:
    "{count} éléments de l’enregistrement SPF ne mènent nulle part ; au-delà de {limit}, il peut devenir invalide. Retirez-les.",
  dns_incomplete:
    "Tous les serveurs de noms n’ont pas répondu. Avant d’ajouter quoi que ce soit, regardez ce qui existe déjà pour {domain}.",
  nothing_written: "Nous n’avons rien écrit. Ajoutez vous-même les enregistrements.",
  not_proven:
    "Nous n’avons encore rien écrit, car il n’est pas prouvé que {domain} vous appartient.",
  credential_refused:
    "Votre fournisseur DNS n’accepte plus notre accès, nous n’avons donc rien écrit. Ajoutez vous-même les enregistrements.",
  zone_not_reached:
    "Nous n’avons pas accès au DNS de {domain}, nous n’avons donc rien écrit. Ajoutez vous-même les enregistrements.",
  provider_cannot:
    "Votre fournisseur DNS n’accepte pas automatiquement tous les enregistrements. Ajoutez vous-même ceux qui sont affichés ci-dessous.",
};
