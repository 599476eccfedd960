import type { DomainMessages } from "./en.ts";

export const domainsJa: DomainMessages = {
  domains_title: "お使いのドメイン",
  domains_lede: "{brand} につながっているドメインと、設定中のドメインです。",
  domains_add: "別のドメインを追加",
  domains_show: "お使いのドメイン",
  domains_live: "公開中",
  domains_progress: "設定中",
  domains_attention: "対応が必要",
  domains_partner: "{domain} もここにつながります",
  domains_visit: "開く",
  domains_continue: "続ける",
  domains_fix: "修正する",
  domains_remove: "接続を解除",
  remove_title: "{domain} の接続を解除しますか？",
  remove_lede:
    "{domain} の訪問者は {brand} に到達できなくなり、証明書も更新されなくなります。いつでも再接続できます。",
  remove_dns: "DNS レコードはそのまま残ります。不要になったら、ご自身で削除してください。",
  remove_keep: "そのままにする",
  remove_confirm: "接続を解除",
  remove_problem: "解除できませんでした。しばらくしてからもう一度お試しください。",
  domains_removed: "接続を解除しました。",
  pair_title: "{domain} も接続しますか？",
  pair_lede:
    "www. を付けて入力する人も、付けない人もいます。どちらも同じサイトにつながり、一方のアドレスが表示されます。",
  pair_both: "両方を接続し、{domain} に統一する",
  pair_single: "{domain} のみ",
  pair_in_use: "{domain} には現在、別のものが表示されています。両方を選ぶと置き換えられます。",
  pair_next: "{done} は承認済みです。続けて {domain} も同じように承認してください。",
  pair_one_by_one:
    "このプロバイダーでは名前を一つずつ承認します。まず {domain}、続いて {other} です。",
  pair_change_leads: "{domain} と {other} が {brand} につながります",
  taken_title: "{domain} はすでに接続されています",
  taken_lede:
    "別のアカウント（以前のご自身のアカウントかもしれません）のものです。お客様のドメインであれば、DNS レコードを 1 件追加して証明してください。相手も証明しない限り、相手は失います。",
  taken_drifted:
    "以前は別のアカウントのものでしたが、現在はそこにつながっていません。DNS レコード 1 件でお客様のものと証明すれば、お客様に移ります。",
  taken_support: "ご不明な場合は",
  taken_contact: "{brand} に問い合わせる",
};
