import type { MailMessages } from "./en.ts";

export const mailJa: MailMessages = {
  mail_dkim_value: "DKIM の値（TXT）",
  mail_dkim_value_hint: "v=DKIM1 で始まる値です。メールサービスの管理画面に表示されます。",
  mail_dkim_selector: "DKIM セレクター",
  mail_dkim_selector_hint: "鍵に付けた名前です。例：{example}",
  mail_mx_host: "MX ホスト",
  mail_mx_host_hint: "Microsoft 365 管理センターの「設定」「ドメイン」に表示されます。",
  mail_dkim_target1: "selector1 の参照先",
  mail_dkim_target2: "selector2 の参照先",
  mail_dkim_target_hint: "Microsoft Defender ポータルのメール認証の設定に表示されます。",
  mail_data_centre: "アカウントの地域",
  mail_data_centre_hint: "Web メールのアドレスと同じです。mail.zoho.eu なら eu です。",
  mail_later: "値がまだない項目は空欄のままで構いません。",
  mail_wrong: "形式が正しくありません。値全体をもう一度コピーしてください。",
  mail_spf_replace: "SPF レコードを置き換える",
  mail_spf_replace_lede:
    "SPF レコードはドメインに 1 つだけです。2 つ目を追加せずに、既存のものを変更してください。",
  mail_spf_now: "現在",
  mail_spf_then: "変更後",
  mail_spf_add: "SPF レコードを追加する",
  mail_spf_keep: "SPF レコードはそのままで正しく設定されています。",
  mail_spf_decide: "SPF レコードはここからは安全に変更できません",
  mail_spf_decide_lede:
    "正しい内容をメールサービスに確認してください。SPF レコードを同時に 2 つ置かないでください。",
  mail_problem_access:
    "{provider} へのアクセスは無効になりました。レコードを手動で追加してください。",
};
