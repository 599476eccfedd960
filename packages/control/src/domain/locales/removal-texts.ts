import type { Language } from "./languages.ts";

/** The page that asks to remove what an archived connection left in DNS. */
export interface RemovalTexts {
  readonly title: string;
  readonly why: string;
  readonly risk: string;
  readonly where: string;
  readonly found: string;
  readonly found_hint: string;
  readonly records: string;
  readonly purpose: string;
  readonly gone: string;
  readonly gone_hint: string;
}

export const removalTexts: Readonly<Record<Language, RemovalTexts>> = {
  en: {
    title: "Please remove a DNS record of {domain}",
    why: "{domain} is no longer connected to {brand}, but its DNS still leads visitors there. All that they see is a page that says so.",
    risk: "A name that leads to a service which no longer serves it can be misused. Please remove what is listed below, or point it to where {domain} is now.",
    where:
      "You do that where the DNS of {zone} is managed. Nobody needs your password for it, and nothing can be changed from this page.",
    found: "The record is still there",
    found_hint: "DNS is checked again and again. This page says so when the record is gone.",
    records: "To remove",
    purpose: "Leads visitors to {brand}",
    gone: "The record is gone",
    gone_hint: "Thank you. Nothing is left to do.",
  },
  de: {
    title: "Bitte entfernen Sie einen DNS-Eintrag von {domain}",
    why: "{domain} ist nicht mehr mit {brand} verbunden, aber das DNS führt Besucher noch dorthin. Sie sehen nur eine Seite, die das sagt.",
    risk: "Ein Name, der zu einem Dienst führt, der ihn nicht mehr bedient, kann missbraucht werden. Bitte entfernen Sie, was unten steht, oder lassen Sie es dorthin zeigen, wo {domain} jetzt ist.",
    where:
      "Das tun Sie dort, wo das DNS von {zone} verwaltet wird. Niemand braucht dafür Ihr Passwort, und von dieser Seite aus kann nichts geändert werden.",
    found: "Der Eintrag ist noch da",
    found_hint: "Das DNS wird immer wieder geprüft. Ist der Eintrag weg, steht es hier.",
    records: "Zu entfernen",
    purpose: "Führt Besucher zu {brand}",
    gone: "Der Eintrag ist weg",
    gone_hint: "Vielen Dank. Es ist nichts mehr zu tun.",
  },
  es: {
    title: "Elimina un registro DNS de {domain}",
    why: "{domain} ya no está conectado a {brand}, pero su DNS todavía lleva allí a los visitantes. Solo ven una página que lo dice.",
    risk: "Un nombre que lleva a un servicio que ya no lo atiende puede usarse de forma indebida. Elimina lo que aparece abajo, o haz que apunte a donde está {domain} ahora.",
    where:
      "Se hace donde se gestiona el DNS de {zone}. Nadie necesita tu contraseña para ello, y desde esta página no se puede cambiar nada.",
    found: "El registro sigue ahí",
    found_hint:
      "El DNS se comprueba una y otra vez. Cuando el registro desaparezca, lo dirá esta página.",
    records: "Para eliminar",
    purpose: "Lleva a los visitantes a {brand}",
    gone: "El registro ya no está",
    gone_hint: "Gracias. No queda nada por hacer.",
  },
  fr: {
    title: "Merci de supprimer un enregistrement DNS de {domain}",
    why: "{domain} n’est plus relié à {brand}, mais son DNS y mène encore les visiteurs. Ils n’y voient qu’une page qui le dit.",
    risk: "Un nom qui mène à un service qui ne le sert plus peut être détourné. Supprimez ce qui figure ci-dessous, ou faites-le pointer là où {domain} se trouve maintenant.",
    where:
      "Cela se fait là où le DNS de {zone} est géré. Personne n’a besoin de votre mot de passe, et rien ne peut être modifié depuis cette page.",
    found: "L’enregistrement est toujours là",
    found_hint:
      "Le DNS est vérifié régulièrement. Cette page indiquera quand l’enregistrement a disparu.",
    records: "À supprimer",
    purpose: "Mène les visiteurs à {brand}",
    gone: "L’enregistrement a disparu",
    gone_hint: "Merci. Il n’y a plus rien à faire.",
  },
  "pt-BR": {
    title: "Remova um registro DNS de {domain}",
    why: "{domain} não está mais conectado a {brand}, mas o DNS ainda leva os visitantes para lá. Eles só veem uma página que diz isso.",
    risk: "Um nome que leva a um serviço que não o atende mais pode ser usado indevidamente. Remova o que está abaixo, ou aponte-o para onde {domain} está agora.",
    where:
      "Isso é feito onde o DNS de {zone} é gerenciado. Ninguém precisa da sua senha para isso, e nada pode ser alterado a partir desta página.",
    found: "O registro ainda está lá",
    found_hint:
      "O DNS é verificado repetidamente. Quando o registro sumir, esta página vai informar.",
    records: "Para remover",
    purpose: "Leva os visitantes a {brand}",
    gone: "O registro não existe mais",
    gone_hint: "Obrigado. Não há mais nada a fazer.",
  },
  ja: {
    title: "{domain} のDNSレコードを削除してください",
    why: "{domain} はすでに {brand} に接続されていませんが、DNSは今も訪問者をそこへ導いています。訪問者には、その旨を伝えるページだけが表示されます。",
    risk: "提供を終えたサービスを指したままの名前は、悪用されるおそれがあります。下記のレコードを削除するか、{domain} の現在の移転先を指すように変更してください。",
    where:
      "{zone} のDNSを管理している場所で行います。パスワードを誰かに教える必要はなく、このページからは何も変更できません。",
    found: "レコードがまだ残っています",
    found_hint: "DNSは繰り返し確認されます。レコードがなくなると、このページに表示されます。",
    records: "削除するもの",
    purpose: "訪問者を {brand} へ導きます",
    gone: "レコードはなくなりました",
    gone_hint: "ありがとうございます。ほかに行うことはありません。",
  },
  ar: {
    title: "يرجى إزالة سجل DNS لـ {domain}",
    why: "لم يعد {domain} متصلًا بـ {brand}، لكن DNS الخاص به ما زال يوجّه الزوار إلى هناك. كل ما يرونه صفحة تقول ذلك.",
    risk: "قد يُساء استخدام اسم يوجّه إلى خدمة لم تعد تخدمه. يرجى إزالة ما هو مذكور أدناه، أو توجيهه إلى حيث يوجد {domain} الآن.",
    where:
      "يتم ذلك حيث تُدار إعدادات DNS لـ {zone}. لا يحتاج أحد إلى كلمة مرورك لذلك، ولا يمكن تغيير أي شيء من هذه الصفحة.",
    found: "السجل ما زال موجودًا",
    found_hint: "يُفحص DNS مرارًا. ستذكر هذه الصفحة ذلك عندما يختفي السجل.",
    records: "للإزالة",
    purpose: "يوجّه الزوار إلى {brand}",
    gone: "لم يعد السجل موجودًا",
    gone_hint: "شكرًا لك. لم يبقَ شيء لفعله.",
  },
};
