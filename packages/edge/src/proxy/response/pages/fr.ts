import type { PageTexts } from "./en.ts";

export const fr: PageTexts = {
  reference: "référence",
  pages: {
    400: [
      "Requête incorrecte",
      "Votre navigateur ou votre application a envoyé une requête qui ne peut pas être comprise.",
    ],
    401: ["Connexion", "Ce site n’est visible qu’après connexion."],
    403: ["Accès refusé", "Ce site n’est pas accessible depuis le réseau que vous utilisez."],
    404: [
      "Pas encore configuré",
      "Ce domaine est connecté, mais rien n’y est publié pour le moment.",
    ],
    405: ["Méthode non autorisée", "Ce type de requête n’est pas traité ici."],
    408: ["Délai dépassé", "La requête a mis trop de temps à arriver."],
    413: ["Envoi trop volumineux", "Votre envoi dépasse la taille acceptée ici."],
    417: ["Attente non satisfaite", "La requête attend quelque chose qui n’est pas proposé ici."],
    421: [
      "Mauvaise adresse",
      "Cette connexion a été ouverte pour un autre nom. Veuillez recharger la page.",
    ],
    429: [
      "Trop de requêtes",
      "Vous avez envoyé trop de requêtes. Veuillez réessayer dans un instant.",
    ],
    431: [
      "Requête trop volumineuse",
      "Les en-têtes de la requête dépassent la taille acceptée ici.",
    ],
    501: ["Non pris en charge", "Ce que la requête demande n’est pas proposé ici."],
    502: [
      "Le site est injoignable",
      "Le serveur derrière ce domaine n’a pas répondu correctement.",
    ],
    503: ["Surcharge", "Il y a trop de requêtes en ce moment. Veuillez réessayer dans un instant."],
    504: ["Le site est trop lent", "Le serveur derrière ce domaine n’a pas répondu à temps."],
    505: ["Version non prise en charge", "Cette version de HTTP n’est pas proposée ici."],
    508: [
      "Boucle sans fin",
      "Le serveur derrière ce domaine renvoie les requêtes là d’où elles viennent.",
    ],
    maintenance: [
      "En maintenance",
      "Ce site n’est pas disponible pour le moment. Veuillez réessayer plus tard.",
    ],
    not_connected: [
      "Non connecté",
      "Ce nom mène ici, mais aucun site n’y est connecté. S’il est à vous, connectez-le ou supprimez son enregistrement DNS.",
    ],
  },
};
